#include "kernel/row_products.hpp"

#include <algorithm>
#include <vector>

#include "kernel/vector_math.hpp"

namespace kernmix {

Matrix row_products(const ConstMatrix& left, const ConstMatrix& right) {
  constexpr Index terms_at_once = 512;
  Matrix product(left.rows, right.cols);
  std::vector<const double*> rows(to_size(left.rows));
  Vector panel(to_size(std::min(right.rows, terms_at_once) * panel_width));
  for (Index term = 0; term < right.rows; term += terms_at_once) {
    const Index terms = std::min(terms_at_once, right.rows - term);
    for (Index r = 0; r < left.rows; ++r) rows[to_size(r)] = left.row(r).data() + term;
    for (Index first = 0; first < right.cols; first += panel_width) {
      const Index width = std::min(panel_width, right.cols - first);
      for (Index c = 0; c < terms; ++c) {
        std::copy_n(right.row(term + c).data() + first, width, panel.data() + c * panel_width);
      }
      add_products(rows, terms, panel.data(), width, product.values.data() + first, product.cols);
    }
  }
  return product;
}

}  // namespace kernmix
