#include "solver/outer/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernmix {
namespace {

/// The inner gap may be this part of the outer one: with a looser inner solve the primal value, and
/// so the whole certificate, would hang on the inner solver (docs/solvers/newton.md).
constexpr double kInnerShare = 0.05;
/// Outer gaps shrink by about this much in a good step; solving the SVM for it in the first place
/// saves a second pass over the bank.
constexpr double kExpectedDecrease = 0.2;
constexpr int kRefinements = 4;

}  // namespace

Run::Run(std::string solver, const Problem& problem, const SolverOptions& options,
         const Context& context)
    : problem_(problem),
      options_(options),
      context_(context),
      oracle_(problem, context),
      inner_share_(kInnerShare),
      expected_outer_(std::numeric_limits<double>::infinity()) {
  solution_.solver = std::move(solver);
  best_.certificate.gap = std::numeric_limits<double>::infinity();
}

double Run::objective_scale() const { return std::abs(oracle_.upper_value()); }

Point Run::evaluate(Vector d, const std::string& step) {
  Point point;
  point.d = std::move(d);
  const double target = std::min(expected_outer_, 0.5 * objective_scale());
  oracle_.solve(point.d, inner_share_ * target);
  // The objective may have fallen by orders of magnitude since the target was set.
  while (oracle_.inner_gap() > 2.0 * inner_share_ * objective_scale() && !context_.should_stop()) {
    const double before = oracle_.inner_gap();
    oracle_.solve(point.d, inner_share_ * objective_scale());
    if (oracle_.inner_gap() >= before) break;
  }
  price(point);
  for (int k = 0; k < kRefinements && !context_.should_stop(); ++k) {
    const double wanted = 0.5 * options_.tolerance * std::abs(point.certificate.primal);
    const double allowed = inner_share_ * std::max(point.certificate.outer_gap, wanted);
    if (point.inner_gap <= 2.0 * allowed) break;
    if (point.certificate.relative_gap() <= options_.tolerance) break;
    oracle_.solve(point.d, allowed);
    if (oracle_.inner_gap() >= point.inner_gap) break;
    price(point);
  }
  const double floor = 0.5 * options_.tolerance * std::abs(point.certificate.primal);
  expected_outer_ = std::max(kExpectedDecrease * point.certificate.outer_gap, floor);
  record(point, step);
  return point;
}

void Run::price(Point& point) {
  point.a = oracle_.a();
  point.q.resize(static_cast<std::size_t>(kernels()));
  problem_.bank.quadratic_forms(point.a, point.q, context_);
  ++passes_;
  point.certificate = certify_values(problem_, point.d, point.a, oracle_.z(), point.q);
  point.gain = oracle_.gain();
  point.inner_gap = oracle_.inner_gap();
  point.upper = oracle_.upper_value() +
                std::visit([&](const auto& r) { return r.penalty(point.d); }, problem_.regularizer);
  point.free = oracle_.free_set();
}

void Run::record(const Point& point, const std::string& step) {
  if (point.certificate.relative_gap() < best_relative_gap() || solution_.history.empty()) {
    best_ = point;
  }
  Iteration now;
  now.number = length(solution_.history);
  now.primal = point.certificate.primal;
  now.dual = point.certificate.dual;
  if (!solution_.history.empty()) {
    now.primal = std::min(now.primal, solution_.history.back().primal);
    now.dual = std::max(now.dual, solution_.history.back().dual);
  }
  now.relative_gap = best_relative_gap();
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  now.bank_passes = passes_;
  now.inner_iterations = oracle_.iterations();
  now.active_kernels = std::ranges::count_if(point.d, [](double weight) { return weight > 0.0; });
  now.step = step;
  solution_.history.push_back(now);
  context_.report({"solve", now.number + 1, 0, now.relative_gap});
}

bool Run::finished() const { return stalled_ || status() != Status::stalled; }

Status Run::status() const {
  if (!solution_.history.empty() && best_relative_gap() <= options_.tolerance) {
    return Status::converged;
  }
  if (context_.cancelled != nullptr && context_.cancelled->load()) return Status::interrupted;
  if (context_.should_stop()) return Status::time_limit;
  if (length(solution_.history) >= options_.max_iterations) return Status::iteration_limit;
  return Status::stalled;
}

Solution Run::result() const {
  Solution solution = solution_;
  solution.d = best_.d;
  solution.a = best_.a;
  solution.certificate = best_.certificate;
  solution.status = status();
  solution.inner_iterations = oracle_.iterations();
  solution.bank_passes = passes_;
  return solution;
}

}  // namespace kernmix
