#pragma once
/// \file
/// What is asked of a solver, and what it answers.

#include <string>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Why a solver returned. Whatever it is, the answer comes with its certificate.
enum class Status {
  converged,        ///< relative gap <= tolerance
  iteration_limit,  ///< max_iterations outer iterations were used
  time_limit,       ///< the deadline passed
  interrupted,      ///< the caller cancelled
  stalled           ///< no step improves the certificate at the working precision
};
[[nodiscard]] std::string status_name(Status status);

/// Where a solver may begin: what an answer to other settings, on the same kernels, knows.
struct StartingPoint {
  Vector norms;                   ///< ||f_m|| of each kernel; empty: nothing is known
  Vector a;                       ///< the dual vector of a single task; empty: not known
  bool double_precision = false;  ///< found on kernels so stored: a Training begins with such ones
};

struct SolverOptions {
  std::string solver = "auto";  ///< "auto" or a name in support_matrix()
  double tolerance = 1e-3;      ///< on the relative gap of the original problem, in (0, 1)
  Index max_iterations = 1000;  ///< outer iterations
  /// Names of strategies (strategy_list()) that `newton`, and so `auto`, does without: for
  /// measurements, the answer is as good.
  std::vector<std::string> without;
  Index moments = 0;         ///< of classes or tasks that share weights: how many Snapshot are kept
  StartingPoint start = {};  ///< for `newton`, and so `auto`: another one costs time, nothing else
};

/// \throws ParameterError when tolerance or max_iterations is out of its range
void check(const SolverOptions& options);

/// One outer iteration, for convergence plots and logs. Counts are since the solver started.
struct Iteration {
  Index number = 0;
  double primal = 0.0;        ///< lowest so far
  double dual = 0.0;          ///< highest so far
  double relative_gap = 1.0;  ///< of the best certified answer; of several tasks, of these two
  double seconds = 0.0;
  Index svm_solves = 0;  ///< of single tasks
  Index bank_passes = 0;
  Index inner_iterations = 0;
  Index active_kernels = 0;  ///< d_m > 0
  std::string step;          ///< "closed-form", "newton", "level", "epoch", ...
  Vector weights;  ///< of several tasks or classes: those of the lowest primal value so far
};

/// What a run would have answered, had it ended at one of its iterations.
struct Snapshot {
  double seconds = 0.0;   ///< as that iteration has them
  Index svm_solves = 0;   ///< likewise
  Vector d;               ///< the best weights so far
  std::vector<Vector> a;  ///< dual vectors of the tasks there
};

struct Answer {
  Vector d;               ///< kernel weights of all tasks, length M; of separate ones T M, in turn
  std::vector<Vector> a;  ///< signed dual vector of each task, over its rows
  Vector gamma;           ///< task weights, length T: on the unit simplex for minimax, else 1
  /// From cutting planes: dual vectors whose bound, with gamma, is certificate.dual; else empty.
  std::vector<Vector> witness;
  Certificate certificate;  ///< of (d, a, gamma), and of `witness` where there is one, on the bank
  Status status = Status::stalled;
  std::string solver;  ///< the one that ran ("newton" where "auto" chose it)
  /// Separate tasks follow each other: bounds are those of the task that `step` begins with.
  std::vector<Iteration> history;
  std::vector<Snapshot> moments;  ///< at most options.moments, spread evenly over the history
  Index svm_solves = 0;           ///< with those that train every task at the final weights
  Index inner_iterations = 0;
  Index bank_passes = 0;
};

}  // namespace kernmix
