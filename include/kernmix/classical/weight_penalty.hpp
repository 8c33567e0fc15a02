#pragma once
/// \file
/// The two regularizers r(d) of generalised MKL (Varma and Babu, ICML 2009).

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

}  // namespace kernmix
