#pragma once
/// \file
/// Rows of all kernels, K_m(x_i, .) for m = 1..M, for solvers that visit few samples often.

#include <string>
#include <unordered_map>

#include "kernmix/bank/bank.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Keeps the rows that were used last. A packed triangle has half of a row in one piece and the
/// other half spread over the matrix, so reading a row again costs far more than keeping it.
class KernelRows {
 public:
  /// \param slots  rows to keep, at least 2
  KernelRows(const KernelBank& bank, Index slots, const Context& context);

  /// How many samples' rows 512 MiB and what `others` leaves of the memory budget allow.
  /// \throws ResourceError that begins with `who` where two do not fit
  [[nodiscard]] static Index fitting(const KernelBank& bank, std::size_t others,
                                     const std::string& who, const Context& context);

  /// M x n: row m is K_m(x_i, .). Valid until two other samples were asked for.
  [[nodiscard]] const Matrix& of(Index i);

 private:
  const KernelBank& bank_;
  const Context& context_;
  Index slots_;
  std::vector<Matrix> rows_;
  std::vector<Index> used_;    ///< when each slot was last asked for
  std::vector<Index> sample_;  ///< whose row it holds
  std::unordered_map<Index, std::size_t> place_;
  Index clock_ = 0;
};

}  // namespace kernmix
