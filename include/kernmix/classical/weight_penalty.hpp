#pragma once
/// \file
/// The two regularizers r(d) of generalised MKL (Varma and Babu, ICML 2009).

#include <string>
#include <variant>

#include "kernmix/types.hpp"

namespace kernmix {

/// r(d) = lambda sum_m d_m
struct LinearPenalty {
  double lambda = 1.0;  ///< > 0

  void check(Index M) const;
  [[nodiscard]] double value(ConstSpan d) const;
  void slope(ConstSpan d, MutableSpan out) const;
};

/// r(d) = 1/2 (d - mu)' Sigma^-1 (d - mu): prior knowledge of the weights.
struct QuadraticPenalty {
  Vector mu;         ///< length M
  Matrix precision;  ///< Sigma^-1, M x M, symmetric and positive definite

  void check(Index M) const;
  [[nodiscard]] double value(ConstSpan d) const;
  void slope(ConstSpan d, MutableSpan out) const;
};

using WeightPenalty = std::variant<LinearPenalty, QuadraticPenalty>;

/// r(d) as settings write it, for any number of weights: "linear:lambda=L" is lambda sum_m d_m,
/// "quadratic:lambda=L" is lambda / 2 sum_m d_m^2.
struct PenaltyRule {
  bool quadratic = false;
  double lambda = 1.0;  ///< > 0

  [[nodiscard]] std::string text() const;
  [[nodiscard]] WeightPenalty of(Index M) const;
};
/// \throws ParameterError for another name, and for a lambda out of range
[[nodiscard]] PenaltyRule parse_penalty_rule(const std::string& text);

}  // namespace kernmix
