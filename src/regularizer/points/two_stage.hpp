#pragma once
/// \file
/// Two-stage methods: a rule reads the weights off kernels and targets, then the classifier is
/// trained with them. D = {w}.
///
///   Omega(s) = 1/2 sum_m s_m^2 / w_m (0/0 = 0)        sigma(q/2) = 1/2 sum_m w_m q_m
///
/// The rules are in kernmix/solver/two_stage.hpp; here w is only kept.

#include <string>
#include <variant>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/points/fixed.hpp"

namespace kernmix {

/// Centred alignment with the targets, of each kernel ("align") or of their sum ("alignf").
/// Cortes, Mohri and Rostamizadeh, JMLR 2012.
struct Alignment {
  bool of_the_sum = false;

  [[nodiscard]] std::string text() const { return of_the_sum ? "alignf" : "alignment"; }
};

/// EasyMKL (Aiolli and Donini 2015): weights in proportion to a'K_m a at the solution of KOMD
/// (loss/komd.hpp) on the sum of all kernels, ||d||_2 = 1.
struct Easy {
  double lambda = 0.1;  ///< of KOMD, in [0, 1)

  [[nodiscard]] std::string text() const;
};

struct TwoStage {
  static constexpr bool fixed_weights = true;

  std::variant<Alignment, Easy> rule;
  Fixed chosen;  ///< the weights, once the rule was applied; before, none

  [[nodiscard]] bool known() const { return !chosen.w.empty(); }
  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  // The others need the weights. \throws ParameterError before they are known
  [[nodiscard]] Vector initial_weights(Index M) const { return weights().initial_weights(M); }
  [[nodiscard]] double omega(ConstSpan s) const { return weights().omega(s); }
  [[nodiscard]] double conjugate(ConstSpan q) const { return weights().conjugate(q); }
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }

 private:
  [[nodiscard]] const Fixed& weights() const;
};

}  // namespace kernmix
