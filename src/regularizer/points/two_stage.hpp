#pragma once
/// \file
/// Two-stage methods: a rule computes the weights from kernels and targets, then the classifier is
/// trained with them. D = {w}.
///
///   Omega(s) = 1/2 sum_m s_m^2 / w_m (0/0 = 0)        sigma(q/2) = 1/2 sum_m w_m q_m
///
/// The rules are in kernmix/two_stage.hpp; this struct only stores w.

#include <string>
#include <utility>
#include <variant>
#include <vector>

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

struct TwoStage : OnePoint<TwoStage> {
  std::variant<Alignment, Easy> rule;
  Fixed chosen;  ///< the weights; empty before the rule is applied
  TwoStage(std::variant<Alignment, Easy> r, Fixed weights) : rule(r), chosen(std::move(weights)) {}

  [[nodiscard]] bool known() const { return !chosen.w.empty(); }
  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  /// \throws ParameterError if they are unknown, as all functions that need them
  [[nodiscard]] Vector initial_weights(Index M) const;
};

}  // namespace kernmix
