#pragma once
/// \file
/// Rows of all kernels, K_m(x_i, .) for m = 1..M, for solvers that access few samples often.

#include <string>
#include <unordered_map>

#include "kernmix/bank/bank.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A least-recently-used cache of rows. In a packed triangle half of a row is contiguous and the
/// other half is scattered, so reading a row again is much more expensive than keeping it.
class KernelRows {
 public:
  /// \param slots  rows to keep, at least 2
  KernelRows(const KernelBank& bank, Index slots, const Context& context);

  /// Number of samples whose rows fit in 512 MiB and in the memory budget minus `others`. \throws
  /// ResourceError that begins with `who` if fewer than two fit
  [[nodiscard]] static Index fitting(const KernelBank& bank, std::size_t others,
                                     const std::string& who, const Context& context);

  /// M x n: row m is K_m(x_i, .). Valid until two other samples were asked for.
  [[nodiscard]] const Matrix& of(Index i);

 private:
  const KernelBank& bank_;
  const Context& context_;
  Index slots_;
  std::vector<Matrix> rows_;
  std::vector<Index> used_;    ///< time of the last access to each slot
  std::vector<Index> sample_;  ///< sample of each slot
  std::unordered_map<Index, std::size_t> place_;
  Index clock_ = 0;
};

}  // namespace kernmix
