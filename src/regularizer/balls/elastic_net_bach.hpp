#pragma once
/// \file
/// Bach's elastic net: D = {0 <= d < 1/lambda, sum d / (1 - lambda d) <= 1}, that is
/// d = eta / (1 + lambda eta) with sum eta <= 1.
///
///   Omega(s) = 1/2 (sum_m s_m)^2 + lambda/2 sum_m s_m^2
///   sigma(q/2) = min_g 1/2 g^2 + sum_m (sqrt(q_m) - g)_+^2 / (2 lambda)
///   d(s): eta = s / sum s
///
/// Bach, Lanckriet and Jordan, ICML 2004 (their Moreau-Yosida regularisation).
/// lambda = 0 is L1.

#include "regularizer/defaults.hpp"
#include "regularizer/norm_prox.hpp"

namespace kernmix {

struct ElasticNetBach : Defaults<ElasticNetBach> {
  static constexpr bool sparse = true;

  double lambda;  ///< > 0
  explicit ElasticNetBach(double square) : lambda(square) {}

  static constexpr std::array parameters{
      Parameter<ElasticNetBach>{"lambda", &ElasticNetBach::lambda}};
  static RegularizerInfo info() {
    return {"elastic-net-bach:lambda=L", "d >= 0, sum d/(1 - L d) <= 1",
            "1/2 (sum s)^2 + L/2 sum s^2", "elastic-net-bach:lambda=0.5"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  /// The minimising g is the mean of the largest k norms, sum_{top k} sqrt(q) / (lambda + k).
  [[nodiscard]] double conjugate(ConstSpan q) const;

  /// d(s); eta = 1/M when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// x + mu / (1 - lambda x)^2 = max(z, 0) with the mu >= 0 that makes the sum 1.
  void project(MutableSpan x) const;
  void prox(double gamma, ConstSpan x, MutableSpan s) const {
    squared_sum_prox(gamma, lambda, x, s);
  }
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const {
    return squared_sum_prox_slope(gamma, lambda, s);
  }
};

}  // namespace kernmix
