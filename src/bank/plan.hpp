#pragma once
/// \file
/// Sizes that the memory plan and the construction of a bank agree on.

#include <vector>

#include "kernmix/bank/bank.hpp"

namespace kernmix {

/// Rows and columns at most of a part of a file that is read at once.
inline constexpr Index longest_window = 1024;

[[nodiscard]] std::size_t packed_bytes(Index n, bool double_precision);

/// Whether most of what the kernels take is whole matrices, so that each is dear to read.
[[nodiscard]] bool mostly_dense(Index n, Index kernels, std::size_t bank_bytes);

/// The largest rank at which a factor is smaller than the packed triangle.
[[nodiscard]] Index longest_factor(Index n, bool double_precision);

/// Columns that the factor of a combination of all families has at most.
[[nodiscard]] Index factor_columns(const MemoryPlan& plan);

/// Columns that the factor is expected to have, without those that are negligible in the even sum
/// of all kernels: of families that were sketched with several kernels.
[[nodiscard]] Index expected_columns(const MemoryPlan& plan);

/// What is made of the kernels in factors while the matrix K(d) is: their columns with `entry_size`
/// bytes a number, beside the factors of the cores of all families.
[[nodiscard]] std::size_t combination_bytes(const MemoryPlan& plan, Index n,
                                            std::size_t entry_size);

/// Scratch of building the bank and of reading it: the largest of partial sums of products, the
/// families that grow at the same time (or the sketch, where it holds them already), what K(d) is
/// made from where it is a matrix, what finding families held beyond bank and K(d), which were not
/// there yet; and tiles on every thread. (What a shrunken SMO copies of K(d) is reserved, but few
/// of its rows are touched.)
[[nodiscard]] std::size_t bank_workspace_bytes(const MemoryPlan& plan, Index n,
                                               const Context& context);

/// At least one source, all n x n with the same n >= 1.
/// \throws ParameterError or DataError
void check_sources(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
