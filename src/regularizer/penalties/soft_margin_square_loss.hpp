#pragma once
/// \file
/// Soft margin MKL with the square loss on kernels: D = {d >= 0}, Phi(d) = ||d||^2 / (2 theta).
///
/// Xu, Tsang and Xu, TNNLS 2013. The formulas are those of LpTikhonov with p = 2
/// and lambda = 1/theta, which is the same regularizer.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/penalties/lp_tikhonov.hpp"

namespace kernmix {

struct SoftMarginSquareLoss {
  double theta = 1.0;  ///< > 0

  [[nodiscard]] LpTikhonov ridge() const { return {2.0, 1.0 / theta}; }

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const { ridge().check(M); }
  [[nodiscard]] Vector initial_weights(Index M) const { return ridge().initial_weights(M); }
  [[nodiscard]] double omega(ConstSpan s) const { return ridge().omega(s); }
  [[nodiscard]] double conjugate(ConstSpan q) const { return ridge().conjugate(q); }
  [[nodiscard]] double penalty(ConstSpan d) const { return ridge().penalty(d); }
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const {
    ridge().add_penalty_slope(d, slope);
  }

  void best_weights(ConstSpan s, MutableSpan d) const { ridge().best_weights(s, d); }
  void maximizing_weights(ConstSpan q, MutableSpan d) const { ridge().maximizing_weights(q, d); }
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const {
    return ridge().conjugate_curvature(q, d);
  }
  void project(MutableSpan x) const { ridge().project(x); }
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const {
    return ridge().minimize_quadratic(model);
  }
};

}  // namespace kernmix
