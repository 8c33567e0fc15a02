#include "data/matrices/finite_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/error.hpp"

namespace kernmix {

void require_finite(const std::string& path, const Matrix& matrix, Index number) {
  const auto bad = std::ranges::find_if(matrix.values, [](double v) { return !std::isfinite(v); });
  if (bad == matrix.values.end()) return;
  const Index place = bad - matrix.values.begin();
  throw DataError(fmt::format("{}: matrix {}, row {}, column {}: {} is not a finite number", path,
                              number + 1, place / matrix.cols + 1, place % matrix.cols + 1, *bad));
}

}  // namespace kernmix
