#pragma once
/// \file
/// What a bank answers that stores nothing: from its entries, evaluated block by block.

#include <functional>
#include <memory>
#include <vector>

#include "bank/reference/source_rows.hpp"
#include "kernmix/bank/bank.hpp"

namespace kernmix {

/// M kernels on n samples by their entries.
struct KernelEntries {
  Index samples;
  Index kernels;
  /// K_m[rows, cols]
  std::function<SourceRows(Index m, std::span<const Index> rows, std::span<const Index> cols)> read;
  bool in_memory = false;  ///< all of them: then whole rows are read as they lie there
};

/// See KernelBank; rows at the support do not come for nothing.
[[nodiscard]] Products products_of_entries(const KernelEntries& K, std::span<const Index> subset,
                                           const Panel& A, Reach reach, const Context& context);
[[nodiscard]] std::unique_ptr<Combined> combined_entries(KernelEntries K, ConstSpan d);

/// forms(t, k) = max(0, rows of kernel k and vector t times A_t).
[[nodiscard]] Matrix forms_of_rows(const Matrix& rows, const Panel& A);

}  // namespace kernmix
