#pragma once
/// \file
/// What a solver knows of J at a weight vector.

#include <algorithm>
#include <memory>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/types.hpp"
#include "weights/whole_products.hpp"

namespace kernmix {

/// A weight vector with everything that evaluating it told.
struct Point {
  Vector d;
  Vector a;
  Vector z;  ///< K(d) a, as exact as `exact` says
  Vector q;
  std::vector<Index> free;  ///< samples strictly inside their box
  Vector softness;          ///< what the model adds to S at those (near_kinks.hpp); empty: nothing
  Certificate certificate;
  bool exact = true;          ///< the primal value is that of the bank (Oracle::exact)
  std::vector<Index> priced;  ///< kernels whose q is of this a, ascending; empty: all
  /// K_m a at the support of a, a row for each of `priced`, where it came with q; or null.
  std::shared_ptr<const Matrix> products;
  /// Of the kernels with weight, where they were read that way; or null.
  std::shared_ptr<const WholeProducts> whole;
  double gain = 0.0;       ///< sum -(C loss)*(-a): the cut is J(x) >= gain - q'x/2 + Phi(x)
  double upper = 0.0;      ///< >= J(d), by at most inner_gap
  double inner_gap = 0.0;  ///< of the SVM at d

  [[nodiscard]] bool priced_all() const { return priced.empty(); }
  [[nodiscard]] bool is_priced(Index m) const {
    return priced_all() || std::ranges::binary_search(priced, m);
  }
  /// The row of kernel m, one of `priced`, in `products`.
  [[nodiscard]] Index place(Index m) const {
    return priced_all() ? m : std::ranges::lower_bound(priced, m) - priced.begin();
  }
  [[nodiscard]] bool has_products(const std::vector<Index>& subset) const {
    return products != nullptr && (priced_all() || std::ranges::includes(priced, subset));
  }
};

}  // namespace kernmix
