#pragma once
/// \file
/// Solves on stored kernels and certifies on exact ones, until both agree.

#include "kernmix/certificate.hpp"
#include "kernmix/model/train.hpp"
#include "model/pipeline.hpp"
#include "model/task.hpp"

namespace kernmix {

struct CertifiedAnswer {
  Solution solution;     ///< its certificate and status are those on the exact kernels
  CertifiedPoint exact;  ///< at (solution.d, solution.a), its bound by solution.proof too
};

/// A solver that converged on rounded or factored kernels may miss the tolerance on the exact ones;
/// it is then run again, in double precision and to a smaller tolerance, at most twice. An answer
/// that still misses it is called stalled.
/// \param plan, seconds  filled in: the memory plan of the (last) bank, except for its data_bytes,
/// which are the caller's; kernels, solve, certify
[[nodiscard]] CertifiedAnswer solve_certified(const Task& task, const TrainingKernels& kernels,
                                              const SolverOptions& options, const Context& context,
                                              MemoryPlan& plan, Timings& seconds);

}  // namespace kernmix
