#include "base/shape.hpp"

#include <fmt/format.h>

#include <tuple>

#include "kernmix/error.hpp"

namespace kernmix {

void require_shape(const std::string& what, const Matrix& matrix) {
  const auto [rows, cols, count] = std::tuple(matrix.rows, matrix.cols, length(matrix.values));
  // Divided, as the product of what anybody wrote there may overflow.
  const bool fits =
      rows >= 0 && cols >= 0 &&
      (rows == 0 || cols == 0 ? count == 0 : count % cols == 0 && count / cols == rows);
  if (fits) return;
  throw ParameterError(
      fmt::format("{}: a matrix of {} x {} numbers holds {}", what, rows, cols, count));
}

}  // namespace kernmix
