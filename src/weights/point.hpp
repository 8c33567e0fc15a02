#pragma once
/// \file
/// The evaluation of J at a weight vector.

#include <memory>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A weight vector and the results of its evaluation. Vectors over samples hold the samples of all
/// tasks end to end.
struct Point {
  Vector d;
  Vector a;
  Vector z;                 ///< K(d) a, exact if `exact` is set
  Vector q;                 ///< q of the cut: -q/2 is the slope of J without Phi
  Vector forms;             ///< a' K_m a, task by task; empty for a single task, where it is q
  std::vector<Index> free;  ///< samples strictly inside their box
  Certificate certificate;
  bool exact = true;  ///< the primal value is computed from the bank (Oracle::exact)
  /// Row m: K_m a at the support of a, if the bank returned it with q (dense kernels, one task);
  /// otherwise null.
  std::shared_ptr<const Matrix> products;
  double gain = 0.0;       ///< sum -(C loss)*(-a): the cut is J(x) >= gain - q'x/2 + Phi(x)
  double upper = 0.0;      ///< >= J(d), exceeds it by at most inner_gap
  double inner_gap = 0.0;  ///< of the SVMs at d
};

}  // namespace kernmix
