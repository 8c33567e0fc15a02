#include "weights/tasks/run_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernmix {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Of the tolerance: the rest is for what training the tasks at the final weights may change.
constexpr double tolerance_share = 0.9;

}  // namespace

RunBounds::RunBounds(const SolverOptions& options, const Context& context)
    : options_(options),
      context_(context),
      upper_(unbounded),
      lower_(-unbounded),
      moments_(options.moments) {}

bool RunBounds::offer_upper(double value) {
  const bool lowest = value < upper_;
  if (lowest) upper_ = value;
  return lowest;
}

bool RunBounds::offer_lower(double bound) {
  bound -= 1e-12 * std::abs(bound);
  const bool highest = bound > lower_;
  if (highest) lower_ = bound;
  return highest;
}

std::vector<Iteration> RunBounds::history() const {
  std::vector<Iteration> all = history_;
  if (all.empty()) return all;
  all.back().dual = lower_;
  all.back().relative_gap = relative_gap();
  return all;
}

std::optional<Snapshot> RunBounds::record(ConstSpan d, const Vector& best, const RunWork& work,
                                          const std::string& step) {
  Iteration now;
  now.number = length(history_);
  now.primal = upper_;
  now.dual = lower_;
  now.relative_gap = relative_gap();
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  now.svm_solves = work.svm_solves;
  now.bank_passes = work.bank_passes;
  now.inner_iterations = work.inner_iterations;
  now.active_kernels = std::ranges::count_if(d, [](double weight) { return weight > 0.0; });
  now.step = step;
  now.weights = best;
  history_.push_back(now);
  context_.report({"solve", now.number + 1, 0, now.relative_gap});
  if (!moments_.next()) return std::nullopt;
  return Snapshot{now.seconds, now.svm_solves, best, {}};
}

Bounds RunBounds::bounds() const {
  Bounds bounds{.primal = upper_, .dual = lower_, .least_size = least_size_};
  bounds.set_gap(0.0);
  return bounds;
}

double RunBounds::relative_gap() const {
  return std::isfinite(upper_ - lower_) ? bounds().relative_gap() : unbounded;
}

double RunBounds::open_gap() const {
  const double size = std::isfinite(lower_) ? bounds().size() : 0.0;
  return std::max(upper_ - lower_, 0.5 * options_.tolerance * size);
}

Status RunBounds::status() const {
  if (relative_gap() <= tolerance_share * options_.tolerance) return Status::converged;
  if (context_.is_cancelled()) return Status::interrupted;
  if (context_.should_stop()) return Status::time_limit;
  if (limited_ || length(history_) >= options_.max_iterations) return Status::iteration_limit;
  return Status::stalled;
}

void RunBounds::finish(const Problem& problem, const std::vector<Vector>& witness,
                       const RunWork& work, Status ended, Answer& answer) {
  answer.history = history();
  answer.moments = moments_.take();
  answer.certificate = certify(problem, answer.d, answer.a, context_, answer.gamma).certificate;
  answer.svm_solves = work.svm_solves;
  answer.inner_iterations = work.inner_iterations;
  answer.bank_passes = work.bank_passes + 1;
  const double own = answer.certificate.dual;
  if (lower_ > own && !witness.empty()) {
    answer.certificate.raise_dual(certify_dual(problem, witness, context_, answer.gamma));
    ++answer.bank_passes;
    if (answer.certificate.dual > own) answer.witness = witness;
  }
  answer.status = ended == Status::converged ? Status::stalled : ended;
  if (answer.certificate.relative_gap() <= options_.tolerance) answer.status = Status::converged;
}

}  // namespace kernmix
