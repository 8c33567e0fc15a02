#include "weights/answer_keeper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kernmix {

AnswerKeeper::AnswerKeeper(const SolverOptions& options, const Context& context,
                           std::function<void(Point&)> make_exact)
    : options_(options),
      context_(context),
      make_exact_(std::move(make_exact)),
      proven_(-std::numeric_limits<double>::infinity()) {
  best_.certificate.gap = std::numeric_limits<double>::infinity();
  lowest_.certificate.primal = std::numeric_limits<double>::infinity();
}

void AnswerKeeper::offer(const Point& point) {
  const bool first = history_.empty();
  const auto keep = [&](Point& kept) {
    kept = point;
    kept.products = nullptr;
  };
  if (first || point.certificate.relative_gap() < relative_gap()) keep(best_);
  if (first || point.certificate.primal < lowest_.certificate.primal) keep(lowest_);
  recheck();
}

void AnswerKeeper::recheck() {
  for (Point* point : {&best_, &lowest_}) {
    if (converged() && point == &answer()) make_exact_(*point);
  }
}

void AnswerKeeper::raise_dual(Vector a, double bound) {
  if (!(bound > proven_)) return;
  witness_ = std::move(a);
  proven_ = bound;
  recheck();
  Iteration& last = history_.back();
  last.dual = std::max(last.dual, std::min(bound, last.primal));
  last.relative_gap = relative_gap();
}

double AnswerKeeper::relative_gap() const {
  const double own = best_.certificate.relative_gap();
  if (witness_.empty()) return own;
  Certificate proven = lowest_.certificate;
  proven.raise_dual(proven_);
  return std::min(own, proven.relative_gap());
}

bool AnswerKeeper::is_proven() const { return relative_gap() < best_.certificate.relative_gap(); }

double AnswerKeeper::proven_gap() const {
  return witness_.empty() ? std::numeric_limits<double>::infinity() : primal() - dual();
}

void AnswerKeeper::record(const Point& point, const Work& work, const std::string& step) {
  Iteration now;
  const Certificate& own = point.certificate;
  now.primal = own.primal;
  now.dual = own.dual;
  if (!history_.empty()) {
    now.primal = std::min(now.primal, history_.back().primal);
    now.dual = std::max(now.dual, history_.back().dual);
  }
  now.number = length(history_);
  now.relative_gap = relative_gap();
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  now.bank_passes = work.bank_passes;
  now.inner_iterations = work.inner_iterations;
  now.active_kernels = std::ranges::count_if(point.d, [](double weight) { return weight > 0.0; });
  now.step = step;
  history_.push_back(now);
  context_.report({"solve", now.number + 1, 0, now.relative_gap});
}

Status AnswerKeeper::status() const {
  if (!history_.empty() && converged()) return Status::converged;
  if (context_.is_cancelled()) return Status::interrupted;
  if (context_.should_stop()) return Status::time_limit;
  if (length(history_) >= options_.max_iterations) return Status::iteration_limit;
  return Status::stalled;
}

}  // namespace kernmix
