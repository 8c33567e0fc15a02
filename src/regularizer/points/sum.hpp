#pragma once
/// \file
/// The uniform sum of kernels: D = {(1, ..., 1)}, which is Lp at p = infinity.
///
///   Omega(s) = 1/2 sum_m s_m^2        sigma(q/2) = 1/2 sum_m q_m
///
/// Called "L2-MKL" by Saketha Nath et al. 2009, which is not the L2-norm MKL of Kloft et al.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct Sum {
  static constexpr bool fixed_weights = true;

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const { return "sum"; }
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }
};

}  // namespace kernmix
