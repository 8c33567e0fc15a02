#pragma once
/// \file
/// The level method: the next weights are the nearest ones at which all cutting planes are low.

#include <optional>

#include "weights/cuts/cut_program.hpp"
#include "weights/objective.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// One step of Xu, Jin, King and Lyu, NIPS 2008 (and Lemarechal, Nemirovskii and
/// Nesterov 1995), from `centre`:
///
///   lower = min_{x in D} max_i cut_i(x),   upper = lowest primal value,
///   level = lambda upper + (1 - lambda) lower,
///   d <- argmin 1/2 |x - centre|^2   s.t.  x in D,  cut_i(x) <= level  for every cut i
///
/// All cuts use the current level. The paper has lambda = 0.9; docs/reference/solvers/level.md
/// compares. \param rules  linear ones \returns nothing where the cuts alone prove the best answer
/// good enough
[[nodiscard]] std::optional<Point> level_step(const WeightRules& rules, Objective& J,
                                              CutProgram& program, ConstSpan centre);

}  // namespace kernmix
