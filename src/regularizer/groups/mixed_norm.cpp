#include "regularizer/groups/mixed_norm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/arguments.hpp"
#include "base/roots/root.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/groups/group_ball.hpp"
#include "regularizer/groups/groups.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/simplex/l1.hpp"
#include "regularizer/subproblem/group_model.hpp"

namespace kernmix {

GroupBall mixed_norm_ball(double q, const std::vector<Index>& group) {
  return {group, Vector(static_cast<std::size_t>(group_count(group)), 1.0), 1.0, q};
}

namespace {

/// One group's entries z > 0, largest first, shrunk by a common threshold.
class ShrunkGroup {
 public:
  void add(double z) {
    if (z > 0.0) z_.push_back(z);
  }
  void sort() { std::ranges::sort(z_, std::greater<>()); }

  /// sum_k max(z_k - tau, 0)
  [[nodiscard]] double sum_at(double tau) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < z_.size() && z_[k] > tau; ++k) sum += z_[k] - tau;
    return sum;
  }

  /// The threshold that leaves the given sum, which must not exceed that of z.
  [[nodiscard]] double threshold_for(double sum) const {
    return std::max(threshold_of_sum(z_, sum), 0.0);
  }

  /// The root tau of tau = price * sum_at(tau)^{pi-1}, by bisection: the right side decreases with
  /// tau.
  [[nodiscard]] double threshold_at(double price, double pi) const {
    if (z_.empty()) return 0.0;
    double low = 0.0;
    double high = z_.front();
    for (int k = 0; k < 60 && high - low > 1e-16 * high; ++k) {
      const double tau = 0.5 * (low + high);
      (price * std::pow(sum_at(tau), pi - 1.0) > tau ? low : high) = tau;
    }
    return high;
  }

 private:
  Vector z_;
};

/// tau_j for every group such that || (sum_at(tau_j))_j ||_pi <= 1.
Vector group_thresholds(const std::vector<ShrunkGroup>& groups, double pi) {
  Vector tau(groups.size(), 0.0);
  Vector sums(groups.size());
  const auto norm_at = [&](double price) {
    for (std::size_t j = 0; j < groups.size(); ++j) {
      tau[j] = groups[j].threshold_at(price, pi);
      sums[j] = groups[j].sum_at(tau[j]);
    }
    return power_norm(sums, pi);
  };
  for (std::size_t j = 0; j < groups.size(); ++j) sums[j] = groups[j].sum_at(0.0);
  if (power_norm(sums, pi) <= 1.0) return tau;
  if (std::isinf(pi)) {
    for (std::size_t j = 0; j < groups.size(); ++j) {
      if (sums[j] > 1.0) tau[j] = groups[j].threshold_for(1.0);
    }
    return tau;
  }
  static_cast<void>(norm_at(multiplier_of_unit_norm(norm_at)));
  return tau;
}

}  // namespace

/// q = 1 does not depend on the groups; for q > 2 there is no set of weights.
Regularizer MixedNorm::parse(const std::string& text) {
  const double q = Arguments(text, {"q"}, info().example).number("q");
  if (!(q >= 1.0)) throw ParameterError(fmt::format("mixed-norm: q must be >= 1, got {}", q));
  if (q == 1.0) return L1{};
  if (q <= 2.0) return MixedNorm{q, {}};
  return MixedNormSaddle{q, {}};
}

void MixedNorm::project(MutableSpan x) const {
  const double pi = q == 2.0 ? std::numeric_limits<double>::infinity() : q / (2.0 - q);
  std::vector<ShrunkGroup> groups(static_cast<std::size_t>(group_count(group)));
  for (std::size_t m = 0; m < x.size(); ++m) {
    groups[static_cast<std::size_t>(group[m])].add(x[m]);
  }
  for (ShrunkGroup& members : groups) members.sort();
  const Vector tau = group_thresholds(groups, pi);
  for (std::size_t m = 0; m < x.size(); ++m) {
    x[m] = std::max(x[m] - tau[static_cast<std::size_t>(group[m])], 0.0);
  }
  const double norm = power_norm(group_norms(x, group, 1.0), pi);
  for (double& value : x) value /= std::max(norm, 1.0);
}

Vector MixedNorm::minimize_quadratic(const WeightModel& model) const {
  if (q == 1.0) return L1{}.minimize_quadratic(model);
  return minimize_on_groups(model, group, {1.0, (2.0 - q) / q});
}

Vector MixedNormSaddle::initial_weights(Index) const {
  const Vector sizes = group_sizes(group);
  const double gamma = std::pow(static_cast<double>(sizes.size()), -decay());
  Vector d(group.size());
  for (std::size_t m = 0; m < d.size(); ++m) {
    d[m] = 1.0 / (sizes[static_cast<std::size_t>(group[m])] * gamma);
  }
  return d;
}

}  // namespace kernmix
