#include "weights/best_answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kernmix {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

BestAnswer::BestAnswer(const SolverOptions& options, const Context& context, double share,
                       std::function<void(Point&)> make_exact)
    : options_(options),
      context_(context),
      share_(share),
      make_exact_(std::move(make_exact)),
      proven_(-kUnbounded),
      primal_(kUnbounded),
      dual_(-kUnbounded) {
  best_.certificate.gap = kUnbounded;
  lowest_.certificate.primal = kUnbounded;
}

void BestAnswer::offer(const Point& point) {
  const bool first = primal_ == kUnbounded;
  const auto keep = [&](Point& kept) {
    kept = point;
    kept.products = nullptr;
  };
  if (first || point.certificate.relative_gap() < relative_gap()) keep(best_);
  if (first || point.certificate.primal < lowest_.certificate.primal) keep(lowest_);
  primal_ = std::min(primal_, point.certificate.primal);
  dual_ = std::max(dual_, point.certificate.dual);
  recheck();
}

void BestAnswer::recheck() {
  for (Point* point : {&best_, &lowest_}) {
    if (converged() && point == &answer()) make_exact_(*point);
  }
}

void BestAnswer::raise_dual(Witness witness, double bound) {
  if (!(bound > proven_)) return;
  witness_ = std::move(witness);
  proven_ = bound;
  recheck();
  dual_ = std::max(dual_, std::min(bound, primal_));
  if (history_.empty()) return;
  Iteration& last = history_.back();
  last.dual = std::max(last.dual, dual_);
  last.relative_gap = relative_gap();
}

double BestAnswer::relative_gap() const {
  const double own = best_.certificate.relative_gap();
  if (witness_.a.empty()) return own;
  Certificate proven = lowest_.certificate;
  proven.raise_dual(proven_);
  return std::min(own, proven.relative_gap());
}

bool BestAnswer::is_proven() const { return relative_gap() < best_.certificate.relative_gap(); }

double BestAnswer::proven_gap() const {
  return witness_.a.empty() ? kUnbounded : primal() - dual();
}

double BestAnswer::open_gap() const {
  Bounds bounds{.primal = primal_, .dual = dual_, .least_size = lowest_.certificate.least_size};
  return std::max(primal_ - dual_, 0.5 * options_.tolerance * bounds.size());
}

void BestAnswer::record(ConstSpan d, const Work& work, const std::string& step, bool with_weights) {
  Iteration now;
  now.primal = primal_;
  now.dual = dual_;
  now.number = length(history_);
  now.relative_gap = relative_gap();
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  now.svm_solves = work.svm_solves;
  now.bank_passes = work.bank_passes;
  now.inner_iterations = work.inner_iterations;
  now.active_kernels = std::ranges::count_if(d, [](double weight) { return weight > 0.0; });
  now.step = step;
  if (with_weights) now.weights = lowest_.d;
  history_.push_back(now);
  context_.report({"solve", now.number + 1, 0, now.relative_gap});
}

Status BestAnswer::status() const {
  if (!history_.empty() && converged()) return Status::converged;
  if (context_.is_cancelled()) return Status::interrupted;
  if (context_.should_stop()) return Status::time_limit;
  if (ended_) return *ended_;
  if (length(history_) >= options_.max_iterations) return Status::iteration_limit;
  return Status::stalled;
}

}  // namespace kernmix
