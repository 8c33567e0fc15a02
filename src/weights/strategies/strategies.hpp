#pragma once
/// \file
/// The strategies that there are, and those that a solve is offered.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "weights/strategies/strategy.hpp"

namespace kernmix {

namespace strategy {
extern const Strategy earlier_answer;
extern const Strategy part_of_samples;
extern const Strategy part_of_kernels;
extern const Strategy interior_point;
extern const Strategy closed_form;
extern const Strategy level;
extern const Strategy cuts;
extern const Strategy near_kinks;
extern const Strategy needed_weights;
extern const Strategy predicted_dual;
}  // namespace strategy

/// In order of preference where several are as good. A new one is a file, its declaration above and
/// its line here.
inline constexpr std::array kStrategies = {
    &strategy::earlier_answer, &strategy::part_of_samples, &strategy::part_of_kernels,
    &strategy::interior_point, &strategy::closed_form,     &strategy::level,
    &strategy::cuts,           &strategy::near_kinks,      &strategy::needed_weights,
    &strategy::predicted_dual};

/// Whether the options leave it in.
[[nodiscard]] bool offers(const SolverOptions& options, const Strategy& strategy);

/// The first strategy of those left in that defines a function; null where none does.
template <typename Function>
[[nodiscard]] const Strategy* first_with(const SolverOptions& options,
                                         Function Strategy::*function) {
  const auto found = std::ranges::find_if(kStrategies, [&](const Strategy* one) {
    return one->*function != nullptr && offers(options, *one);
  });
  return found == kStrategies.end() ? nullptr : *found;
}

/// The samples that a model at a point takes for free, as strategies have it: of several tasks and
/// classes those that are.
[[nodiscard]] FreeSet free_samples(const Objective& J, const Point& point);

/// \throws ParameterError naming the known ones, where options.without has another name
void check_without(const SolverOptions& options);

/// The strategies of one solve.
class Strategies {
 public:
  /// Both must outlive it.
  Strategies(const WeightRules& rules, Objective& J) : rules_(rules), J_(J) {}

  /// Evaluates the first weights: of the first strategy that has some, or else the centre of D.
  [[nodiscard]] Point start();
  /// The cheapest steps that fit; null where Newton's are the ones.
  [[nodiscard]] Steps* cheapest(const StepProgress& now, const Point& point);
  /// Whether others would come to the end by themselves.
  [[nodiscard]] bool end_alone() const;
  /// Shows an evaluated point to all steps but those that made it, if any did.
  void see(const Point& point, const Steps* maker = nullptr);

 private:
  const WeightRules& rules_;
  Objective& J_;
  std::vector<std::unique_ptr<Steps>> steps_;
};

}  // namespace kernmix
