#pragma once
/// \file
/// Solve a Problem to a certified gap.

#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// Checks solver name, tolerance and limits, and that the solver takes loss, regularizer and rule
/// for the bias, without a problem at hand: before any kernel is computed. \throws ParameterError
/// naming what does not fit
void check_solver(const Loss& loss, const Regularizer& regularizer, Bias bias,
                  const SolverOptions& options);

/// Validates everything first, then solves.
/// \throws ParameterError for an unknown solver, a pair of solver and regularizer that do not fit
///         (both named), a tolerance outside (0, 1)
[[nodiscard]] Solution solve(const Problem& problem, const SolverOptions& options,
                             const Context& context);

/// The named solvers, in the order in which `auto` tries them.
[[nodiscard]] std::vector<std::string> solver_names();

/// What `newton` has beside its own steps. The names are those of SolverOptions::without.
struct StrategyInfo {
  std::string name;
  std::string what;  ///< one sentence
};
[[nodiscard]] std::vector<StrategyInfo> strategy_list();

/// One cell of `kernmix list`: does this solver take this loss and regularizer?
struct Support {
  std::string loss;
  std::string regularizer;
  std::string solver;
  bool supported;
  std::string reason;  ///< why not
};
[[nodiscard]] std::vector<Support> support_matrix();

}  // namespace kernmix
