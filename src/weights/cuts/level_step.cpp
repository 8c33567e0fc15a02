#include "weights/cuts/level_step.hpp"

#include <utility>

#include "weights/cuts/level_projection.hpp"

namespace kernmix {

std::optional<Point> level_step(const WeightRules& rules, Objective& J, CutProgram& program,
                                ConstSpan centre) {
  constexpr double kLambda = 0.5;
  const CutMinimum minimum = program.solve();
  J.raise_lower_bound(program.cuts().aggregate(minimum.multipliers), minimum.lower_bound(rules));
  if (J.finished()) return std::nullopt;
  const double level = kLambda * J.best_primal() + (1.0 - kLambda) * J.best_dual();
  Vector d =
      project_onto_level_set(program.cuts(), level, centre, *rules.linear_bound(J.kernels()));
  if (d.empty()) d = minimum.d;
  Point next = J.evaluate(std::move(d), "level");
  program.add(next);
  return next;
}

}  // namespace kernmix
