#pragma once
/// \file
/// Losses: convex functions given together with their conjugates (methods table 1.5).

#include <concepts>
#include <string>
#include <variant>

#include "kernmix/loss/hinge.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A loss l(y, z) with weight C > 0, and its conjugate. `a` is the signed dual variable.
/// The Fenchel-Young inequality C l(y, z) + C l*(-a) + a z >= 0 is what the certificate sums.
template <typename L>
concept IsLoss = requires(const L loss, double y, double z, double a, double C, ConstSpan v) {
  { loss.value(y, z, C) } -> std::convertible_to<double>;         ///< C l(y, z)
  { loss.dual_value(y, a, C) } -> std::convertible_to<double>;    ///< -(C l)*(-a), the gain in D
  { loss.dual_bounds(y, C) } -> std::convertible_to<DualBounds>;  ///< domain of a
  {
    loss.fenchel_young(y, z, a, C)
    } -> std::convertible_to<double>;                          ///< >= 0, without cancellation
  { loss.best_bias(v, v, v) } -> std::convertible_to<double>;  ///< argmin_b sum C_i l(y_i, z_i + b)
};

/// The closed set of losses. A new one is a file in loss/ and a line here.
using Loss = std::variant<Hinge>;

static_assert(IsLoss<Hinge>);

[[nodiscard]] std::string loss_name(const Loss& loss);
/// \throws ParameterError naming the known losses
[[nodiscard]] Loss parse_loss(const std::string& text);

}  // namespace kernmix
