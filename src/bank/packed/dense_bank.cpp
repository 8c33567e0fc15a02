#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bank/stored_bank.hpp"
#include "base/shape.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The lower triangle of K, Gram matrix `number`, which must be finite and symmetric.
Packed<double> pack(const Matrix& K, std::size_t number) {
  Packed<double> packed(K.rows);
  double largest = 0.0;
  for (const double value : K.values) {
    if (!std::isfinite(value)) {
      throw DataError(fmt::format("Gram matrix {} has an entry that is not finite", number));
    }
    largest = std::max(largest, std::abs(value));
  }
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j <= i; ++j) {
      if (std::abs(K(i, j) - K(j, i)) > 1e-8 * largest) {
        throw DataError(fmt::format(
            "Gram matrix {} is not symmetric: row {}, column {} is {} but its mirror image is {}",
            number, i + 1, j + 1, K(i, j), K(j, i)));
      }
      packed.row(i)[j] = K(i, j);
    }
  }
  return packed;
}

}  // namespace

std::unique_ptr<KernelBank> dense_bank(std::vector<Matrix> gram_matrices) {
  if (gram_matrices.empty()) throw ParameterError("a kernel bank needs at least one kernel");
  const Index n = gram_matrices.front().rows;
  auto bank = std::make_unique<StoredBank>(n, length(gram_matrices));
  for (std::size_t m = 0; m < gram_matrices.size(); ++m) {
    const Matrix K = std::move(gram_matrices[m]);
    require_shape(fmt::format("Gram matrix {}", m + 1), K);
    if (K.rows != n || K.cols != n) {
      throw DataError(fmt::format(
          "Gram matrices must be square and of one size: number {} is {} x {}, the first has {} "
          "rows",
          m + 1, K.rows, K.cols, n));
    }
    bank->keep(static_cast<Index>(m), pack(K, m + 1));
  }
  return bank;
}

}  // namespace kernmix
