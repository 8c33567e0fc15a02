#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/bank/stored_bank.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The lower triangle of K.
Packed<double> pack(const Matrix& K) {
  Packed<double> packed(K.rows);
  for (Index i = 0; i < K.rows; ++i) {
    std::ranges::copy(K.row(i).first(static_cast<std::size_t>(i + 1)), packed.row(i));
  }
  return packed;
}

}  // namespace

std::unique_ptr<KernelBank> dense_bank(std::vector<Matrix> gram_matrices) {
  if (gram_matrices.empty()) throw ParameterError("a kernel bank needs at least one kernel");
  const Index n = gram_matrices.front().rows;
  auto bank = std::make_unique<StoredBank>(n);
  for (std::size_t m = 0; m < gram_matrices.size(); ++m) {
    const Matrix K = std::move(gram_matrices[m]);
    if (K.rows != n || K.cols != n) {
      throw DataError(fmt::format(
          "Gram matrices must be square and of one size: number {} is {} x {}, the first has {} "
          "rows",
          m + 1, K.rows, K.cols, n));
    }
    if (!std::ranges::all_of(K.values, [](double value) { return std::isfinite(value); })) {
      throw DataError(fmt::format("Gram matrix {} has an entry that is not finite", m + 1));
    }
    bank->append(pack(K));
  }
  return bank;
}

}  // namespace kernmix
