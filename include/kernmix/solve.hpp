#pragma once
/// \file
/// Solve a Problem until primal - dual <= tolerance max(|primal|, |dual|), certified.

#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// The properties of a problem that determine the available solvers, known before kernels are
/// computed.
struct ProblemKind {
  Loss loss;
  Regularizer regularizer;
  Bias bias = Bias::free;
  Coupling coupling = Coupling::separate;
};
[[nodiscard]] ProblemKind kind_of(const Problem& problem);

/// Checks solver name, tolerance and limits, and that the solver supports the problem. \throws
/// ParameterError naming the conflict
void check_solver(const ProblemKind& kind, const SolverOptions& options);

/// Validates everything first, then solves; with several tasks, each is trained at the final
/// weights until its own gap is below the tolerance.
/// \throws ParameterError or DataError as validate and check_solver
[[nodiscard]] Answer solve(const Problem& problem, const SolverOptions& options,
                           const Context& context);

/// The names of solvers for this coupling, in the order in which `auto` tries them.
[[nodiscard]] std::vector<std::string> solver_names(Coupling coupling = Coupling::separate);

/// A strategy of `newton` besides its own steps. The names are those of SolverOptions::without.
struct StrategyInfo {
  std::string name;
  std::string what;  ///< one sentence
};
[[nodiscard]] std::vector<StrategyInfo> strategy_list();

/// One entry of `kernmix list`: whether a solver supports a loss and a regularizer.
struct Support {
  std::string loss;
  std::string regularizer;
  std::string solver;
  bool supported;
  std::string reason;  ///< if not supported
};
/// Every combination of a loss, a regularizer and a named solver.
[[nodiscard]] std::vector<Support> support_matrix(Coupling coupling = Coupling::separate);

}  // namespace kernmix
