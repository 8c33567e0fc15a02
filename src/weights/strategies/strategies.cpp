#include "weights/strategies/strategies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

bool offers(const SolverOptions& options, const Strategy& strategy) {
  return std::ranges::find(options.without, strategy.name) == options.without.end();
}

FreeSet free_samples(const Objective& J, const Point& point) {
  const Strategy* chosen = J.is_single() ? first_with(J.options(), &Strategy::free) : nullptr;
  return chosen != nullptr ? chosen->free(J, point) : FreeSet{point.free, {}};
}

void check_without(const SolverOptions& options) {
  std::vector<std::string> known;
  for (const Strategy* one : kStrategies) known.emplace_back(one->name);
  for (const std::string& name : options.without) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw ParameterError(fmt::format("unknown strategy {}{}; known are {}", in_quotes(name),
                                     did_you_mean(name, known), fmt::join(known, ", ")));
  }
}

Point Strategies::start() {
  Start start;
  Vector first;
  for (const Strategy* one : kStrategies) {
    if (start.by != nullptr || one->start == nullptr || !offers(J_.options(), *one)) continue;
    first = one->start(rules_, J_);
    if (!first.empty()) start.by = one;
  }
  if (first.empty()) first = rules_.initial_weights(J_.kernels());
  start.point = J_.evaluate(std::move(first), start.by != nullptr ? start.by->name : "start");
  for (const Strategy* one : kStrategies) {
    if (one->steps == nullptr || !offers(J_.options(), *one)) continue;
    if (auto steps = one->steps(rules_, J_, start)) steps_.push_back(std::move(steps));
  }
  see(start.point);
  return start.point;
}

Steps* Strategies::cheapest(const StepProgress& now, const Point& point) {
  Steps* cheapest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& steps : steps_) {
    if (!steps->fits(now, point)) continue;
    const double svms = steps->svms(now, point);
    if (cheapest != nullptr && !(svms < least)) continue;
    cheapest = steps.get();
    least = svms;
  }
  return cheapest;
}

bool Strategies::end_alone() const {
  return std::ranges::any_of(steps_, [](const auto& steps) { return steps->end_alone(); });
}

void Strategies::see(const Point& point, const Steps* maker) {
  for (const auto& steps : steps_) {
    if (steps.get() != maker) steps->see(point);
  }
}

}  // namespace kernmix
