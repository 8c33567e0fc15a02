#pragma once
/// \file
/// Banks of kernels that are computed and stored, evaluated on request, or given.

#include <memory>
#include <string>
#include <vector>

#include "kernmix/bank/plan.hpp"

namespace kernmix {

/// Computes and stores all kernels. Reports progress in stage "kernels".
/// \param names  one name per kernel, for error messages
/// \throws ResourceError when the plan exceeds the memory budget
/// \throws DataError when a kernel is not finite, not symmetric or not positive semidefinite;
///         the message names the kernel and, for the last, its smallest eigenvalue
[[nodiscard]] std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                                     const std::vector<std::string>& names,
                                                     const BankOptions& options,
                                                     const Context& context);

/// The same, stored according to `plan` (from plan_bank for the same sources and options).
[[nodiscard]] std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                                     const std::vector<std::string>& names,
                                                     const BankOptions& options, MemoryPlan plan,
                                                     const Context& context);

/// A bank that stores nothing and evaluates every entry in double on request: the kernels
/// exactly as the user gave them. It is slow and small; reported certificates use it.
[[nodiscard]] std::unique_ptr<KernelBank> exact_bank(std::vector<KernelSourcePtr> sources);

/// A bank of dense symmetric matrices of the caller (each n x n, row-major),
/// stored in double precision. For tests, C++ users with their own Gram matrices, and benchmarks.
[[nodiscard]] std::unique_ptr<KernelBank> dense_bank(std::vector<Matrix> gram_matrices);

}  // namespace kernmix
