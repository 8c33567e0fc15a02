#pragma once
/// \file
/// Solve a Problem until primal - dual <= tolerance max(|primal|, |dual|), certified.

#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// What decides which solvers there are, known before any kernel is computed.
struct ProblemKind {
  Loss loss;
  Regularizer regularizer;
  Bias bias = Bias::free;
  Coupling coupling = Coupling::separate;
};
[[nodiscard]] ProblemKind kind_of(const Problem& problem);

/// Checks solver name, tolerance and limits, and that the solver takes such problems. \throws
/// ParameterError naming what does not fit
void check_solver(const ProblemKind& kind, const SolverOptions& options);

/// Validates everything first, then solves; of several tasks, every one is trained at the final
/// weights, to a gap of its own below the tolerance.
/// \throws ParameterError or DataError as validate and check_solver
[[nodiscard]] Answer solve(const Problem& problem, const SolverOptions& options,
                           const Context& context);

/// The named solvers of such tasks, in the order in which `auto` tries them.
[[nodiscard]] std::vector<std::string> solver_names(Coupling coupling = Coupling::separate);

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
/// Every combination of a loss, a regularizer and a named solver.
[[nodiscard]] std::vector<Support> support_matrix(Coupling coupling = Coupling::separate);

}  // namespace kernmix
