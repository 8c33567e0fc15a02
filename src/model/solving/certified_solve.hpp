#pragma once
/// \file
/// Solves on stored kernels and certifies on exact ones, until both agree.

#include <functional>

#include "kernmix/certificate.hpp"
#include "model/solving/kernel_store.hpp"

namespace kernmix {

struct CertifiedAnswer {
  Answer solution;                 ///< its certificate and status are for the certified kernels
  CertifiedPoint exact;            ///< at (solution.d, solution.a), its bound by the witness too
  bool converged_on_bank = false;  ///< in the last attempt
};

/// Certifies on the kernels as given; the status follows from that certificate.
/// \param problem  with exact.bank()
[[nodiscard]] CertifiedAnswer certify_exactly(const ReferenceKernels& exact, const Problem& problem,
                                              Answer solution, double tolerance,
                                              const Context& context);

/// A solver that converged on rounded or factored kernels may miss the tolerance on the exact ones;
/// it is then run again, in double precision and to a smaller tolerance, at most twice. An answer
/// that still misses it has the status stalled. \param attempt solves and certifies exactly
[[nodiscard]] CertifiedAnswer solve_until_exact(
    KernelStore& store, const SolverOptions& options,
    const std::function<CertifiedAnswer(const SolverOptions&)>& attempt);

/// Chooses the weights of a two-stage regularizer, then solves until it is exact.
/// \param problem  of the tasks that are solved together, on a bank of their rows
[[nodiscard]] CertifiedAnswer solve_certified(
    const std::function<Problem(const KernelBank&)>& problem, KernelStore& store,
    const SolverOptions& options);

/// The same once, certified on the stored kernels.
[[nodiscard]] CertifiedAnswer solve_stored(const std::function<Problem(const KernelBank&)>& problem,
                                           KernelStore& store, const SolverOptions& options);

}  // namespace kernmix
