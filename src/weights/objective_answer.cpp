/// \file
/// J(d) if some tasks have bounds from stale dual vectors, lower <= J_k(d) <= upper, and the
/// answer.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernmix/bank/beyond_memory.hpp"
#include "kernmix/error.hpp"
#include "problem/without_end.hpp"
#include "regularizer/any.hpp"
#include "weights/cuts/masters.hpp"
#include "weights/objective.hpp"

namespace kernmix {
namespace {

/// A margin that covers rounding in the final certification of the proof.
constexpr double kBoundRounding = 1e-12;

}  // namespace

void Objective::keep(const Point& point, const std::string& step) {
  answer_.offer(point);
  if (!is_single()) raise_lower_bound(point.a, point.certificate.dual);
  record_at(point.d, step);
}

Work Objective::work() const {
  return {tasks_.svm_solves(), passes_, tasks_.inner_iterations() + inner_};
}

void Objective::record_at(ConstSpan d, const std::string& step) {
  tasks_.answer_exists();
  answer_.record(d, work(), step, !is_single());
  if (!moments_.next()) return;
  const Point& lowest = answer_.lowest();
  moments_.keep({answer_.history().back().seconds, tasks_.svm_solves(), lowest.d, split(lowest.a)});
}

void Objective::raise_lower_bound(const Vector& a, double bound, Vector gamma) {
  std::vector<Vector> own = split(a);
  for (const Index k : tasks_.all()) {
    Vector& part = own[static_cast<std::size_t>(k)];
    part = tasks_.oracle(k).feasible(std::move(part));
  }
  if (!is_minimax()) gamma.clear();
  answer_.raise_dual({end_to_end(own), std::move(gamma)}, bound - kBoundRounding * std::abs(bound));
}

void Objective::solve(std::span<const Index> tasks, ConstSpan targets) {
  tasks_.solve_and_read(tasks, targets);
  ++passes_;
}

double Objective::upper_here() const {
  Vector upper;
  for (const TaskState& state : tasks_.states()) upper.push_back(state.upper);
  return coupled(upper) + penalty(problem_.regularizer, tasks_.weights());
}

double Objective::size_of(Index k) const {
  return std::max(
      std::abs(tasks_.state(k).upper),
      optimum_floor(problem_.loss, problem_.bank, problem_.diagonals, tasks_.weights()));
}

void Objective::keep_here() {
  const double upper = upper_here();
  if (!(upper < answer_.primal())) return;
  Point point;
  point.d = tasks_.weights();
  point.a = end_to_end(tasks_.dual_vectors());
  take_forms(point);
  point.certificate.primal = upper;
  point.certificate.dual = visit(
      [&](const auto& r) {
        return bound_of(r, CutMinimum{{}, {}, point.gain, point.q});
      },
      problem_.regularizer);
  point.certificate.least_size = least_size_of(problem_, point.d);
  point.certificate.set_gap(0.0);
  answer_.offer(point);
}

/// False if a pass over the kernels took longer than time allows.
bool Objective::solved_in_time(const std::vector<Index>& tasks, const Vector& targets) {
  return finished_in_time(context_, [&] { solve(tasks, targets); });
}

/// Trains every task, because the model needs all of them, including those that do not affect the
/// weights.
/// \returns whether at least one task had not been trained accurately enough
bool Objective::train(Point& answer, const Vector& gamma) {
  constexpr double kShare = 0.05;
  constexpr double kEnough = 0.1;
  tasks_.restore(answer);
  Vector gaps(problem_.tasks.size(), std::numeric_limits<double>::infinity());
  for (bool trained = false;; trained = true) {
    answer.z = product(answer.d, answer.a, without_end(context_));
    measure(answer, gamma);
    const Certificate& now = answer.certificate;
    const double floor = optimum_floor(problem_.loss, problem_.bank, problem_.diagonals, answer.d);
    std::vector<Index> open;
    Vector targets;
    for (std::size_t k = 0; k < gaps.size(); ++k) {
      const double before = std::exchange(gaps[k], now.task_gap[k]);
      const double size = options_.tolerance * std::max(std::abs(now.task_primal[k]), floor);
      if (gaps[k] <= kEnough * size || gaps[k] > 0.9 * before) continue;
      open.push_back(static_cast<Index>(k));
      targets.push_back(kShare * size);
    }
    if (open.empty() || context_.should_stop()) return trained;
    if (!solved_in_time(open, targets)) return trained;
    answer.a = end_to_end(tasks_.dual_vectors());
    take_forms(answer);
  }
}

/// The task weights of an answer for which no lower bound supplied them.
Vector Objective::own_gamma(const Point& point) const {
  const TaskSpans a = parts(point.a);
  const TaskSpans q = forms_of(point);
  Vector lower;
  for (std::size_t k = 0; k < a.size(); ++k) {
    lower.push_back(tasks_.loss(static_cast<Index>(k)).gain(a[k]) - 0.5 * dot(point.d, q[k]));
  }
  return heaviest(lower);
}

bool Objective::untrained() const {
  return !at_start() &&
         std::ranges::all_of(answer_.answer().a, [](double value) { return value == 0.0; });
}

void Objective::allow(std::chrono::milliseconds more) {
  context_.deadline = std::chrono::steady_clock::now() + more;
  context_.cancelled = nullptr;
}

Answer Objective::result() {
  Point answer = answer_.answer();
  const Status ended = answer_.status();
  Witness witness = answer_.is_proven() ? answer_.witness() : Witness();
  Vector gamma = witness.gamma;
  if (problem_.coupling == Coupling::separate) {
    make_exact(answer, without_end(context_));
  } else {
    if (gamma.empty()) gamma = own_gamma(answer);
    const Vector before = answer.a;
    if (train(answer, gamma) && witness.a.empty()) witness = {before, gamma};
  }
  Answer solution;
  solution.solver = solver_;
  solution.d = std::move(answer.d);
  solution.a = split(answer.a);
  solution.gamma = gamma.empty() ? Vector(problem_.tasks.size(), 1.0) : gamma;
  solution.certificate = answer.certificate;
  if (!witness.a.empty()) {
    std::vector<Vector> proof = split(witness.a);
    // After Ctrl-C nobody waits for a pass over kernels that are not stored: the certificate on
    // exact kernels proves the bound in its own pass.
    if (context_.is_cancelled() && evaluation_seconds(problem_.bank) > 0.0) {
      solution.witness = std::move(proof);
    } else {
      const double bound = certify_dual(problem_, proof, without_end(context_), gamma);
      ++passes_;
      if (bound > solution.certificate.dual) solution.witness = std::move(proof);
      solution.certificate.raise_dual(bound);
    }
  }
  solution.history = answer_.history();
  solution.moments = moments_.take();
  solution.svm_solves = tasks_.svm_solves();
  solution.inner_iterations = work().inner_iterations;
  solution.bank_passes = passes_;
  const bool reached = solution.certificate.relative_gap() <= options_.tolerance;
  solution.status = ended == Status::converged ? Status::stalled : ended;
  if (reached) solution.status = Status::converged;
  return solution;
}

}  // namespace kernmix
