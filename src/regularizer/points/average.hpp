#pragma once
/// \file
/// The average kernel: D = {(1/M, ..., 1/M)}.
///
///   Omega(s) = M/2 sum_m s_m^2        sigma(q/2) = 1/(2M) sum_m q_m
///
/// One SVM on the average kernel.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct Average {
  static constexpr bool fixed_weights = true;
  static constexpr bool simplex = true;

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const { return "average"; }
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }
};

}  // namespace kernmix
