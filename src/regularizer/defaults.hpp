#pragma once
/// \file
/// What a regularizer R need not say itself, because it follows from its parameters, its weight set
/// or its best weights:
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

/// A number of R, in the range of parameters where R has no parse() of its own.
template <typename R>
struct Parameter {
  const char* name;
  double R::*value;
};

/// D and Phi are a WeightSet, for M kernels.
template <typename R>
concept HasWeightSet = requires(const R r, Index M) {
  { r.weight_set(M) } -> std::same_as<WeightSet>;
};
/// Phi is that of the weight set, and smooth.
template <typename R>
concept HasSetPenalty = HasWeightSet<R> && requires {
  requires R::penalised;
};

/// The base of R, which brings `info`, its numbers as `parameters`, and what differs from this.
template <typename R>
struct Defaults {
  static constexpr std::array<Parameter<R>, 0> parameters{};

  static std::vector<RegularizerInfo> rows() { return {R::info()}; }
  [[nodiscard]] static std::string name() { return name_of(R::info().syntax); }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const {
    std::string text = name();
    for (const Parameter<R>& parameter : R::parameters) {
      append_argument(text, parameter.name, self().*parameter.value);
    }
    return text;
  }

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
  // Templates, so that R is asked when it is complete: compilers remember the answer.
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

template <typename R>
Regularizer Defaults<R>::parse(const std::string& text) {
  R regularizer;
  if constexpr (R::parameters.empty()) {
    expect_no_arguments(text);
  } else {
    std::vector<std::string> names;
    for (const Parameter<R>& parameter : R::parameters) names.push_back(parameter.name);
    const Arguments arguments(text, names);
    for (const Parameter<R>& parameter : R::parameters) {
      regularizer.*parameter.value = arguments.positive(parameter.name);
    }
  }
  return regularizer;
}

}  // namespace kernmix
