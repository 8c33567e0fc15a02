#pragma once
/// \file
/// The registry of strategies, and the strategies of one solve.

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

/// The strategies in order of preference, which breaks ties. A new strategy requires a source file,
/// a declaration above and an entry here.
inline constexpr std::array kStrategies = {
    &strategy::earlier_answer, &strategy::part_of_samples, &strategy::part_of_kernels,
    &strategy::interior_point, &strategy::closed_form,     &strategy::level,
    &strategy::cuts,           &strategy::near_kinks,      &strategy::needed_weights,
    &strategy::predicted_dual};

/// Whether the options enable the strategy.
[[nodiscard]] bool offers(const SolverOptions& options, const Strategy& strategy);

/// The first enabled strategy that defines a given function, or null.
template <typename Function>
[[nodiscard]] const Strategy* first_with(const SolverOptions& options,
                                         Function Strategy::*function) {
  const auto found = std::ranges::find_if(kStrategies, [&](const Strategy* one) {
    return one->*function != nullptr && offers(options, *one);
  });
  return found == kStrategies.end() ? nullptr : *found;
}

/// The samples that a model at a point treats as free, as chosen by the strategies. With several
/// tasks or jointly trained classes, these are the free samples of the point.
[[nodiscard]] FreeSet free_samples(const Objective& J, const Point& point);

/// \throws ParameterError with the list of known names if options.without contains an unknown name
void check_without(const SolverOptions& options);

/// The strategies of one solve.
class Strategies {
 public:
  /// Both arguments must outlive this object.
  Strategies(const WeightRules& rules, Objective& J) : rules_(rules), J_(J) {}

  /// Evaluates the first weights. They come from the first strategy that provides any, and
  /// otherwise are the initial weights of the regularizer.
  [[nodiscard]] Point start();
  /// The cheapest applicable steps, or null if Newton's method is to continue.
  [[nodiscard]] Steps* cheapest(const StepProgress& now, const Point& point);
  /// Whether any other steps could finish the solve on their own.
  [[nodiscard]] bool end_alone() const;
  /// Reports an evaluated point to all steps except `maker`.
  void see(const Point& point, const Steps* maker = nullptr);

 private:
  const WeightRules& rules_;
  Objective& J_;
  std::vector<std::unique_ptr<Steps>> steps_;
};

}  // namespace kernmix
