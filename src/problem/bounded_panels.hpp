#pragma once
/// \file
/// Panels of vectors for products that are known up to bounds.

#include <algorithm>
#include <vector>

#include "base/rounding.hpp"
#include "kernmix/bank/bounded_products.hpp"

namespace kernmix {

/// One row for each product.
struct ProductPanels {
  Matrix Z;
  Matrix Q;  ///< with or without what the forms may be off by
};

/// Upper ends of the forms, and of sums of them.
[[nodiscard]] inline ProductPanels upper_panels(std::span<const BankProducts> products) {
  ProductPanels panels{Matrix(length(products), length(products.front().z)),
                       Matrix(length(products), length(products.front().q))};
  for (Index k = 0; k < length(products); ++k) {
    const BankProducts& own = products[static_cast<std::size_t>(k)];
    std::ranges::copy(own.z, panels.Z.row(k).begin());
    std::ranges::transform(
        own.q, own.q_error, panels.Q.row(k).begin(),
        [&](double q, double error) { return upper_form(q, error, length(products)); });
  }
  return panels;
}

/// What was computed, without its bounds.
[[nodiscard]] inline ProductPanels product_panels(std::span<const BankProducts> products) {
  ProductPanels panels = upper_panels(products);
  for (Index k = 0; k < length(products); ++k) {
    std::ranges::copy(products[static_cast<std::size_t>(k)].q, panels.Q.row(k).begin());
  }
  return panels;
}

/// The rows of one panel and, below, those of another, which may be empty.
[[nodiscard]] inline Matrix stacked(Matrix above, const Matrix& below) {
  above.rows += below.rows;
  above.values.insert(above.values.end(), below.values.begin(), below.values.end());
  return above;
}

[[nodiscard]] inline Matrix panel_rows(const Matrix& panel, Index begin, Index count) {
  Matrix some(count, panel.cols);
  std::copy_n(panel.values.begin() + begin * panel.cols, count * panel.cols, some.values.begin());
  return some;
}

/// Both products of the first `count` rows, forms alone of those below.
/// \param none  zeros, one for each kernel
[[nodiscard]] inline std::vector<ProductRequest> panel_requests(const Matrix& panel, Index count,
                                                                ConstSpan d, ConstSpan none) {
  std::vector<ProductRequest> requests;
  for (Index k = 0; k < panel.rows; ++k) requests.push_back({k < count ? d : none, panel.row(k)});
  return requests;
}

}  // namespace kernmix
