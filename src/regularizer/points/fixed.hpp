#pragma once
/// \file
/// Weights chosen by the user: D = {w}.
///
///   Omega(s) = 1/2 sum_m s_m^2 / w_m (0/0 = 0)        sigma(q/2) = 1/2 sum_m w_m q_m

#include <utility>

#include "regularizer/points/one_point.hpp"

namespace kernmix {

struct Fixed : OnePoint<Fixed> {
  Vector w;  ///< one weight >= 0 for each kernel, not all zero
  Fixed() = default;
  explicit Fixed(Vector weights) : w(std::move(weights)) {}

  static RegularizerInfo info() {
    return {"fixed:D1,D2,...", "d = (D1, D2, ...)", "1/2 sum s^2/d", "fixed:0.25,0.75"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  /// \throws ParameterError when M differs from the number of weights
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index) const { return w; }
};

}  // namespace kernmix
