#pragma once
/// \file
/// The level method: the next weights are the projection onto a level set of the cutting planes.

#include <optional>

#include "weights/cuts/cut_program.hpp"
#include "weights/objective.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// One step from `centre`, after Xu, Jin, King and Lyu, NIPS 2008 (and Lemarechal, Nemirovskii and
/// Nesterov 1995):
///
///   lower = min_{x in D} max_i cut_i(x),   upper = lowest primal value,
///   level = lambda upper + (1 - lambda) lower,
///   d <- argmin 1/2 |x - centre|^2   s.t.  x in D,  cut_i(x) <= level  for every cut i
///
/// All cuts use the current level. The paper uses lambda = 0.9; docs/reference/solvers/level.md
/// compares values.
/// \param rules  rules of linear weights
/// \returns no point if the cuts alone prove that the best answer is within the tolerance
[[nodiscard]] std::optional<Point> level_step(const WeightRules& rules, Objective& J,
                                              CutProgram& program, ConstSpan centre);

}  // namespace kernmix
