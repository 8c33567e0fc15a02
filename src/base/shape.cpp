#include "base/shape.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"

namespace kernmix {

void require_shape(const std::string& what, const ConstMatrix& matrix) {
  const Index rows = matrix.rows;
  const Index cols = matrix.cols;
  const Index count = length(matrix.values);
  // By division, because the product of arbitrary values may overflow; the last row has no gap.
  const auto fills = [&](Index stride) {
    const Index before = count - cols;
    return stride >= cols && before >= 0 && before % stride == 0 && before / stride == rows - 1;
  };
  const bool fits =
      rows >= 0 && cols >= 0 && (rows == 0 || cols == 0 ? count == 0 : fills(matrix.stride));
  if (fits) return;
  throw ParameterError(
      fmt::format("{}: a matrix of {} x {} numbers holds {}", what, rows, cols, count));
}

}  // namespace kernmix
