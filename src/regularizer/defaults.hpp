#pragma once
/// \file
/// Members that a regularizer R inherits because they follow from its parameters, its weight set or
/// its best weights:
///
///   Omega(s) = 1/2 sum s^2 / d + Phi(d) at d = d(s);   Phi and its slope from weight_set(M)

#include <array>
#include <string>
#include <vector>

#include "base/arguments.hpp"
#include "kernmix/regularizer.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

/// D and Phi are a WeightSet, for M kernels.
template <typename R>
concept HasWeightSet = requires(const R r, Index M) {
  { r.weight_set(M) } -> std::same_as<WeightSet>;
};
/// Phi comes from the weight set and is smooth.
template <typename R>
concept HasSetPenalty = HasWeightSet<R> && requires {
  requires R::penalised;
};

/// The base of R, which defines `info`, its numeric `parameters`, and members that differ from
/// these.
template <typename R>
struct Defaults {
  static constexpr std::array<Parameter<R>, 0> parameters{};

  static std::vector<RegularizerInfo> rows() { return {R::info()}; }
  [[nodiscard]] static std::string name() { return name_of(R::info().syntax); }
  static Regularizer parse(const std::string& text) { return parse_parameters<R>(text); }
  [[nodiscard]] std::string text() const { return text_with_parameters(name(), self()); }

  void check(Index M) const { require_kernels(M); }
  [[nodiscard]] Vector initial_weights(Index M) const { return even_weights(M); }
  [[nodiscard]] double omega(ConstSpan s) const {
    Vector d(s.size());
    self().best_weights(s, d);
    return weighted_norm(s, d) + self().penalty(d);
  }
  [[nodiscard]] double penalty(ConstSpan d) const {
    if constexpr (HasSetPenalty<R>) return penalty_on(self().weight_set(length(d)), d);
    return 0.0;
  }
  // Templates, so that the concept is evaluated when R is complete: compilers cache the result.
  template <typename Whole = R>
  requires HasSetPenalty<Whole>
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const {
    add_slope_on(self().weight_set(length(d)), d, slope);
  }
  /// Interior point minimiser of a quadratic model plus Phi over D.
  template <typename Whole = R>
  requires HasWeightSet<Whole>
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const {
    return minimize_on(model, self().weight_set(length(model.d)));
  }

 protected:
  [[nodiscard]] const R& self() const { return static_cast<const R&>(*this); }
};

}  // namespace kernmix
