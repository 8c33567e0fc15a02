#pragma once
/// \file
/// Soft margin MKL with the hinge loss on kernels (SM1): D = {0 <= d <= theta, sum d = 1}.
///
///   Omega(s) = 1/2 [sum_{at theta} s^2 / theta + (sum_{rest} s)^2 / (1 - k theta)]
///   sigma(q/2) = 1/2 [theta (q_(1) + ... + q_(k)) + (1 - k theta) q_(k+1)], k = floor(1/theta)
///   d(s) = theta for the largest s, the rest in proportion to s
///
/// Xu, Tsang and Xu, TNNLS 2013, section III; for the published lemma 8 see
/// docs/explanation/errata.md. theta >= 1 is L1, theta = 1/M is Average. Their experiments have
/// theta = 1/(nu M), which has the same meaning for any number of kernels: nu M of them have
/// weight.

#include "regularizer/simplex/whole_simplex.hpp"

namespace kernmix {

struct SoftMargin : Defaults<SoftMargin> {
  static constexpr bool sparse = true;
  static constexpr bool polyhedral = true;
  static constexpr bool simplex = true;

  double theta;     ///< > 0, and at least 1/M
  double nu = 0.0;  ///< in (0, 1], theta = 1/(nu M) then; or 0
  explicit SoftMargin(double bound = 1.0) : theta(bound) {}
  static SoftMargin of_share(double share);

  static constexpr std::array parameters{Parameter<SoftMargin>{"theta", &SoftMargin::theta}};
  static RegularizerInfo info() {
    return {"soft-margin:theta=T", "0 <= d <= T, sum d = 1, T >= 1/M", "min_d 1/2 sum s^2/d",
            "soft-margin:theta=0.5"};
  }
  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  /// \throws ParameterError "infeasible: theta must be >= 1/M" unless theta M >= 1 - 1e-12
  void check(Index M) const;
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  /// theta, or 1/M if theta is below by rounding.
  [[nodiscard]] double upper_bound(Index M) const;

  /// d(s); mass beyond the bounds of kernels with s > 0 is divided equally among those with s = 0.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// x = min(max(z - tau, 0), theta) with the tau that makes the sum 1.
  void project(MutableSpan x) const;
};

}  // namespace kernmix
