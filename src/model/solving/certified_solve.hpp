#pragma once
/// \file
/// Solves on stored kernels and certifies on exact ones, until both agree.

#include "kernmix/certificate.hpp"
#include "model/solving/kernel_store.hpp"
#include "model/task_set.hpp"

namespace kernmix {

struct CertifiedAnswer {
  Solution solution;               ///< its certificate and status are those on the exact kernels
  CertifiedPoint exact;            ///< at (solution.d, solution.a), its bound by solution.proof too
  bool converged_on_bank = false;  ///< in the last attempt
};

/// Task k alone: chooses the weights of a two-stage regularizer, then solves (solve_until_exact).
/// \param store  on the rows of the task
[[nodiscard]] CertifiedAnswer solve_certified(const TaskSet& set, Index k, KernelStore& store,
                                              const SolverOptions& options);

}  // namespace kernmix
