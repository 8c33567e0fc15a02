#pragma once
/// \file
/// Options and answers of solvers.

#include <string>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Why a solver returned. Every answer has a certificate, whatever its status.
enum class Status {
  converged,        ///< relative gap <= tolerance
  iteration_limit,  ///< max_iterations outer iterations were used
  time_limit,       ///< the deadline passed
  interrupted,      ///< the caller cancelled
  stalled,          ///< no step improves the certificate at the working precision
  stopping_rule     ///< a rule in the text of the solver, such as change=0.01
};
[[nodiscard]] std::string status_name(Status status);

/// A starting point for a solver: results of an answer to other settings on the same kernels.
struct StartingPoint {
  Vector norms;  ///< ||f_m|| of each kernel; empty: unknown
  Vector a;      ///< the dual vector of a single task; empty: unknown
  bool double_precision =
      false;  ///< computed on kernels in double precision; Training then starts with these
};

struct SolverOptions {
  std::string solver = "auto";  ///< "auto" or a name in support_matrix()
  double tolerance = 1e-3;      ///< on the relative gap of the original problem, in (0, 1)
  Index max_iterations = 1000;  ///< outer iterations
  /// Names of strategies (strategy_list()) that `newton`, and so `auto`, does not use. For
  /// measurements; the answer has the same accuracy.
  std::vector<std::string> without = {};
  Index moments = 0;  ///< for classes or tasks that share weights: number of Snapshot to keep
  StartingPoint start = {};  ///< for `newton`, and so `auto`; affects only the time
};

/// \throws ParameterError when tolerance or max_iterations is out of its range
void check(const SolverOptions& options);

/// One outer iteration, for convergence plots and logs. Counts are since the solver started.
struct Iteration {
  Index number = 0;
  double primal = 0.0;  ///< lowest so far
  double dual = 0.0;    ///< highest so far
  double relative_gap =
      1.0;  ///< of the best certified answer; for several tasks, of `primal` and `dual`
  double seconds = 0.0;
  Index svm_solves = 0;  ///< of single tasks
  Index bank_passes = 0;
  Index inner_iterations = 0;
  Index active_kernels = 0;  ///< d_m > 0
  std::string step;          ///< "closed-form", "newton", "level", "epoch", ...
  Vector weights;  ///< for several tasks or classes: those of the lowest primal value so far
};

/// The answer that a run would have had if it had ended at one of its iterations.
struct Snapshot {
  double seconds = 0.0;   ///< at that iteration
  Index svm_solves = 0;   ///< at that iteration
  Vector d;               ///< the best weights so far
  std::vector<Vector> a;  ///< dual vectors of the tasks at these weights
};

struct Answer {
  Vector d;  ///< kernel weights of all tasks, length M; for separate tasks T M, task by task
  std::vector<Vector> a;  ///< signed dual vector of each task, over its rows
  Vector gamma;           ///< task weights, length T: on the unit simplex for minimax, otherwise 1
  /// From cutting planes: dual vectors whose bound, with gamma, is certificate.dual; otherwise
  /// empty.
  std::vector<Vector> witness;
  Certificate certificate;  ///< of (d, a, gamma), and of `witness` if present, on the bank
  Status status = Status::stalled;
  std::string solver;  ///< the solver used ("newton" if "auto" selected it)
  /// Separate tasks follow each other: bounds are those of the task that `step` begins with.
  std::vector<Iteration> history;
  std::vector<Snapshot> moments;  ///< at most options.moments, spread evenly over the history
  Index svm_solves = 0;           ///< including those that train every task at the final weights
  Index inner_iterations = 0;
  Index bank_passes = 0;
};

}  // namespace kernmix
