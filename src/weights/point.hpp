#pragma once
/// \file
/// What a solver knows of J at a weight vector.

#include <memory>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A weight vector with everything that evaluating it told. Vectors over samples are those of all
/// tasks end to end.
struct Point {
  Vector d;
  Vector a;
  Vector z;                 ///< K(d) a, as exact as `exact` says
  Vector q;                 ///< of the cut: -q/2 is the slope of J without Phi
  Vector forms;             ///< a' K_m a of one task after the other; empty of one: they are q
  std::vector<Index> free;  ///< samples strictly inside their box
  Certificate certificate;
  bool exact = true;  ///< the primal value is that of the bank (Oracle::exact)
  /// Row m: K_m a at the support of a, where it came with q (dense kernels, one task); or null.
  std::shared_ptr<const Matrix> products;
  double gain = 0.0;       ///< sum -(C loss)*(-a): the cut is J(x) >= gain - q'x/2 + Phi(x)
  double upper = 0.0;      ///< >= J(d), by at most inner_gap
  double inner_gap = 0.0;  ///< of the SVMs at d
};

}  // namespace kernmix
