#pragma once
/// \file
/// Soft margin MKL with the square loss on kernels: D = {d >= 0}, Phi(d) = ||d||^2 / (2 theta).
///
/// Xu, Tsang and Xu, TNNLS 2013. The formulas are those of LpTikhonov with p = 2
/// and lambda = 1/theta, which is the same regularizer.

#include "regularizer/penalties/lp_tikhonov.hpp"

namespace kernmix {

struct SoftMarginSquareLoss : LpTikhonov {
  double theta;  ///< > 0
  explicit SoftMarginSquareLoss(double scale) : LpTikhonov(2.0, 1.0 / scale), theta(scale) {}

  static std::vector<RegularizerInfo> rows() {
    return {{"soft-margin-square-loss:theta=T", "d >= 0, Phi = ||d||^2/(2T)",
             "3/2 t^2 / T, t^3 = T/2 ||s||_{4/3}^2", "soft-margin-square-loss:theta=1"}};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
};

}  // namespace kernmix
