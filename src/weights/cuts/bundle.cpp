#include "weights/cuts/bundle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "weights/curvature.hpp"

namespace kernmix {

void Bundle::add(Cut cut) {
  if (size() == largest_) erase(0);
  cuts_.push_back(std::move(cut));
}

std::size_t Bundle::groups() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size(); ++i) count = std::max(count, group(i) + 1);
  return count;
}

Vector Bundle::values(ConstSpan x) const {
  Vector result(size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = gain(i) - 0.5 * std::inner_product(x.begin(), x.end(), q(i).begin(), 0.0);
  }
  return result;
}

Bundle::Smoothed Bundle::smoothed(ConstSpan x, double nu) const {
  Vector shares = values(x);
  Vector top(groups(), -std::numeric_limits<double>::infinity());
  Vector sum(top.size(), 0.0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    top[group(i)] = std::max(top[group(i)], shares[i]);
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = std::exp((shares[i] - top[group(i)]) / nu);
    sum[group(i)] += shares[i];
  }
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] /= sum[group(i)];
  double value = 0.0;
  for (std::size_t g = 0; g < top.size(); ++g) value += top[g] + nu * std::log(sum[g]);
  return {value, std::move(shares)};
}

std::vector<Vector> Bundle::means(const Vector& multipliers) const {
  std::vector<Vector> means(groups(), Vector(q(0).size(), 0.0));
  for (std::size_t i = 0; i < size(); ++i) {
    Vector& mean = means[group(i)];
    for (std::size_t m = 0; m < mean.size(); ++m) mean[m] += multipliers[i] * q(i)[m];
  }
  return means;
}

WeightModel Bundle::model(ConstSpan x, const std::vector<Index>& kernels,
                          const std::vector<Vector>& means, const Vector& multipliers,
                          double nu) const {
  const Index W = length(kernels);
  const auto cuts = static_cast<Index>(size());
  WeightModel model{Vector(kernels.size()), Vector(kernels.size(), 0.0), Matrix(W, cuts)};
  for (Index k = 0; k < W; ++k) {
    const auto m = to_size(kernels[to_size(k)]);
    model.d[to_size(k)] = x[m];
    for (const Vector& mean : means) model.q[to_size(k)] += mean[m];
    // diag(pi) - pi pi' = sum_i pi_i (e_i - pi)(e_i - pi)', so column i of B is the deviation of
    // q_i from the mean.
    for (Index i = 0; i < cuts; ++i) {
      const std::size_t at = to_size(i);
      const double factor = 0.5 * std::sqrt(multipliers[at] / nu);
      model.B(k, i) = factor * (q(at)[m] - means[group(at)][m]);
    }
  }
  return model;
}

Vector Bundle::aggregate(const Vector& multipliers) const {
  Vector sum(cuts_.front().a.size(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += multipliers[i] * cuts_[i].a[j];
  }
  return sum;
}

namespace {

/// The minimiser over D of the quadratic model of the smoothed cuts. Kernels outside the model get
/// weight zero.
Vector minimiser(const WeightRules& rules, const Bundle& bundle, ConstSpan d,
                 const Vector& multipliers, double nu) {
  constexpr Index kOthers = 64;
  const std::vector<Vector> means = bundle.means(multipliers);
  Vector q(d.size(), 0.0);
  for (const Vector& mean : means) {
    for (std::size_t m = 0; m < q.size(); ++m) q[m] += mean[m];
  }
  const std::vector<Index> kernels = modelled_kernels(rules, d, q, kOthers);
  const Vector best = rules.minimize_quadratic(bundle.model(d, kernels, means, multipliers, nu));
  return on_all_kernels(best, kernels, length(d));
}

}  // namespace

BundleStep minimize_cuts(const WeightRules& rules, const Bundle& bundle, Vector centre,
                         double gap) {
  constexpr int kNewtonSteps = 8;
  constexpr int kHalvings = 25;  // a kink may be close to the centre
  BundleStep step{std::move(centre), {}};
  for (const double share : {0.3, 0.1, 0.03, 0.01}) {
    const double nu = share * gap;
    Bundle::Smoothed here = bundle.smoothed(step.d, nu);
    here.value += rules.penalty(step.d);
    for (int k = 0; k < kNewtonSteps; ++k) {
      const Vector target = minimiser(rules, bundle, step.d, here.multipliers, nu);
      const double before = here.value;
      double t = 1.0;
      for (int halving = 0; halving < kHalvings; ++halving, t *= 0.5) {
        Vector x(target.size());
        for (std::size_t m = 0; m < x.size(); ++m) x[m] = (1.0 - t) * step.d[m] + t * target[m];
        Bundle::Smoothed there = bundle.smoothed(x, nu);
        there.value += rules.penalty(x);
        if (there.value >= here.value) continue;
        here = std::move(there);
        step.d = std::move(x);
        break;
      }
      if (before - here.value <= 0.01 * nu) break;
    }
    step.multipliers = here.multipliers;
  }
  return step;
}

}  // namespace kernmix
