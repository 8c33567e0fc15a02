#pragma once
/// \file
/// Weights chosen by the user: D = {w}.
///
///   Omega(s) = 1/2 sum_m s_m^2 / w_m (0/0 = 0)        sigma(q/2) = 1/2 sum_m w_m q_m

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct Fixed {
  static constexpr bool fixed_weights = true;

  Vector w;  ///< one weight >= 0 for each kernel, not all zero

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  /// \throws ParameterError when M differs from the number of weights
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index) const { return w; }
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }
};

}  // namespace kernmix
