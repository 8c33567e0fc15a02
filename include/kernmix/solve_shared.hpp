#pragma once
/// \file
/// Solve a SharedProblem until primal - dual <= tolerance max(|primal|, |dual|), certified.

#include <string>
#include <vector>

#include "kernmix/shared_answer.hpp"
#include "kernmix/solve.hpp"

namespace kernmix {

/// Checks the name of the solver, tolerance and limits, and that the solver takes sharing, loss and
/// regularizer, before any kernel is computed. \throws ParameterError naming what does not fit
void check_shared_solver(Sharing sharing, const Loss& loss, const Regularizer& regularizer,
                         const SolverOptions& options);

/// Validates everything first, then solves. `options.solver` is "auto" or in shared_solver_names();
/// every task is trained at the final weights, to a gap of its own below the tolerance.
/// \throws ParameterError or DataError as validate and check_shared_solver
[[nodiscard]] SharedSolution solve_shared(const SharedProblem& problem,
                                          const SolverOptions& options, const Context& context);

/// The named solvers, in the order in which `auto` tries them.
[[nodiscard]] std::vector<std::string> shared_solver_names();

/// Every combination of a loss, a regularizer and a named solver for this form of sharing.
[[nodiscard]] std::vector<Support> shared_support_matrix(Sharing sharing);

}  // namespace kernmix
