#pragma once
/// \file
/// Solve a JointProblem until primal - dual <= tolerance max(|primal|, |dual|), certified.

#include <string>
#include <vector>

#include "kernmix/joint_certificate.hpp"
#include "kernmix/solver/solve_shared.hpp"

namespace kernmix {

struct JointSolution {
  Vector d;  ///< kernel weights of all classes, length M
  Matrix A;  ///< n x K: column u is the dual vector of class u
  /// From cutting planes: a second dual matrix, whose bound is certificate.dual; else empty.
  Matrix proof;
  JointCertificate certificate;  ///< of (d, A), and of `proof` where there is one
  Status status = Status::stalled;
  std::string solver;
  std::vector<SharedIteration> history;
  std::vector<SharedMoment> moments;  ///< at most options.moments, spread evenly over the history
  Index svm_solves = 0;               ///< of all classes at once
  Index inner_iterations = 0;         ///< Newton steps of these
  Index bank_passes = 0;
};

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
