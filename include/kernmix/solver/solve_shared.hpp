#pragma once
/// \file
/// Solve a SharedProblem until primal - dual <= tolerance max(|primal|, |dual|), certified.

#include <string>
#include <vector>

#include "kernmix/shared_certificate.hpp"
#include "kernmix/solver/solve.hpp"

namespace kernmix {

/// One outer iteration, for convergence plots and logs. Counts are since the solver started.
struct SharedIteration {
  Index number = 0;
  double primal = 0.0;        ///< lowest so far
  double dual = 0.0;          ///< highest so far
  double relative_gap = 1.0;  ///< of these two
  double seconds = 0.0;
  Index svm_solves = 0;  ///< of single tasks
  Index bank_passes = 0;
  Index inner_iterations = 0;
  Index active_kernels = 0;  ///< d_m > 0
  std::string step;          ///< "newton", "level", "certify", ...
  Vector weights;            ///< those of the lowest primal value so far
};

/// What a run would have answered, had it ended at one of its iterations.
struct SharedMoment {
  double seconds = 0.0;   ///< as that iteration has them
  Index svm_solves = 0;   ///< likewise
  Vector d;               ///< the best weights so far
  std::vector<Vector> a;  ///< dual vectors of the tasks there; of joint problems, columns of A
};

struct SharedSolution {
  Vector d;               ///< kernel weights of all tasks, length M
  std::vector<Vector> a;  ///< signed dual vector of each task, over its rows
  Vector gamma;           ///< task weights, length T: 1 for sum, on the unit simplex for minimax
  /// From cutting planes: dual vectors whose bound, with gamma, is certificate.dual; else empty.
  std::vector<Vector> proof;
  SharedCertificate certificate;  ///< of (d, a, gamma), and of `proof` where there is one
  Status status = Status::stalled;
  std::string solver;
  std::vector<SharedIteration> history;
  std::vector<SharedMoment> moments;  ///< at most options.moments, spread evenly over the history
  Index svm_solves = 0;               ///< with those that train every task at the final weights
  Index inner_iterations = 0;
  Index bank_passes = 0;
};

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
