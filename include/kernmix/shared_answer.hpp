#pragma once
/// \file
/// What solvers of many tasks answer.

#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/joint_certificate.hpp"
#include "kernmix/shared_certificate.hpp"

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
struct Snapshot {
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
  std::vector<Snapshot> moments;  ///< at most options.moments, spread evenly over the history
  Index svm_solves = 0;           ///< with those that train every task at the final weights
  Index inner_iterations = 0;
  Index bank_passes = 0;
};

struct JointSolution {
  Vector d;  ///< kernel weights of all classes, length M
  Matrix A;  ///< n x K: column u is the dual vector of class u
  /// From cutting planes: a second dual matrix, whose bound is certificate.dual; else empty.
  Matrix proof;
  JointCertificate certificate;  ///< of (d, A), and of `proof` where there is one
  Status status = Status::stalled;
  std::string solver;
  std::vector<SharedIteration> history;
  std::vector<Snapshot> moments;  ///< at most options.moments, spread evenly over the history
  Index svm_solves = 0;           ///< of all classes at once
  Index inner_iterations = 0;     ///< Newton steps of these
  Index bank_passes = 0;
};

}  // namespace kernmix
