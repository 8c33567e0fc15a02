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

struct SolverOptions {
  std::string solver = "auto";  ///< "auto" or a name in support_matrix()
  double tolerance = 1e-3;      ///< on the relative gap of the original problem, in (0, 1)
  Index max_iterations = 1000;  ///< outer iterations
  /// Names of strategies (strategy_list()) that `newton`, and so `auto`, does without: for
  /// measurements, the answer is as good.
  std::vector<std::string> without;
  Index moments = 0;  ///< of shared and joint problems: how many Snapshot are kept
};

/// \throws ParameterError when tolerance or max_iterations is out of its range
void check(const SolverOptions& options);

/// One outer iteration, for convergence plots and logs.
struct Iteration {
  Index number = 0;
  double primal = 0.0;         ///< lowest so far
  double dual = 0.0;           ///< highest so far
  double relative_gap = 1.0;   ///< of the best certified answer so far
  double seconds = 0.0;        ///< since the solver started
  Index bank_passes = 0;       ///< since the solver started
  Index inner_iterations = 0;  ///< SMO iterations since the solver started
  Index active_kernels = 0;    ///< d_m > 0
  std::string step;            ///< "closed-form", "newton", "level", "epoch", ...
};

struct Solution {
  Vector d;                 ///< kernel weights, length M
  Vector a;                 ///< signed dual variables y * alpha, length n
  Certificate certificate;  ///< of (d, a), and of `proof` where there is one, on problem.bank
  /// From cutting planes: a second dual vector, whose bound is certificate.dual; else empty.
  Vector proof;
  Status status = Status::stalled;
  std::string solver;  ///< the one that ran ("newton" where "auto" chose it)
  std::vector<Iteration> history;
  Index inner_iterations = 0;
  Index bank_passes = 0;
};

}  // namespace kernmix
