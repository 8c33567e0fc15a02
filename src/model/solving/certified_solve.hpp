#pragma once
/// \file
/// Solves on stored kernels and certifies on exact ones, until both agree.

#include "kernmix/certificate.hpp"
#include "model/solving/kernel_store.hpp"
#include "model/task_set.hpp"

namespace kernmix {

struct CertifiedAnswer {
  Answer solution;                 ///< its certificate and status are those on the exact kernels
  CertifiedPoint exact;            ///< at (solution.d, solution.a), its bound by the witness too
  bool converged_on_bank = false;  ///< in the last attempt
};

/// Certifies on the kernels as given; the status follows from that certificate.
/// \param problem  with exact.bank()
[[nodiscard]] CertifiedAnswer certify_exactly(const ReferenceKernels& exact, const Problem& problem,
                                              Answer solution, double tolerance,
                                              const Context& context);

/// Task k alone: chooses the weights of a two-stage regularizer, then solves (solve_until_exact).
/// \param store  on the rows of the task
[[nodiscard]] CertifiedAnswer solve_certified(const TaskSet& set, Index k, KernelStore& store,
                                              const SolverOptions& options);

}  // namespace kernmix
