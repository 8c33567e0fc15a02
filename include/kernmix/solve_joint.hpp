#pragma once
/// \file
/// Solve a JointProblem until primal - dual <= tolerance max(|primal|, |dual|), certified.

#include <string>
#include <vector>

#include "kernmix/shared_answer.hpp"

namespace kernmix {

/// Checks the name of the solver, tolerance and limits, and that the solver takes the regularizer,
/// before any kernel is computed. \throws ParameterError naming what does not fit
void check_joint_solver(const Regularizer& regularizer, const SolverOptions& options);

/// Validates everything first, then solves. `options.solver` is "auto" or "newton".
/// \throws ParameterError or DataError as validate and check_joint_solver
[[nodiscard]] JointSolution solve_joint(const JointProblem& problem, const SolverOptions& options,
                                        const Context& context);

/// The named solvers, in the order in which `auto` tries them.
[[nodiscard]] std::vector<std::string> joint_solver_names();

}  // namespace kernmix
