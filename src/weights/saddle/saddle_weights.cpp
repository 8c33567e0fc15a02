#include "weights/saddle/saddle_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regularizer/groups/groups.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {

Vector SaddleWeights::kernel_weights(const MixedNormSaddle& regularizer) const {
  Vector d(lambda.size());
  for (std::size_t m = 0; m < d.size(); ++m) {
    const double h = share[static_cast<std::size_t>(regularizer.group[m])];
    d[m] = h > 0.0 ? lambda[m] * std::pow(h, -regularizer.decay()) : 0.0;
  }
  return d;
}

SaddleWeights even_saddle_weights(const MixedNormSaddle& regularizer) {
  const Vector sizes = group_sizes(regularizer.group);
  SaddleWeights weights;
  for (const Index j : regularizer.group) {
    weights.lambda.push_back(1.0 / sizes[static_cast<std::size_t>(j)]);
  }
  weights.share.assign(sizes.size(), 1.0 / static_cast<double>(sizes.size()));
  return weights;
}

Vector group_forms(const MixedNormSaddle& regularizer, ConstSpan lambda, ConstSpan q) {
  Vector forms(static_cast<std::size_t>(group_count(regularizer.group)), 0.0);
  for (std::size_t m = 0; m < q.size(); ++m) {
    forms[static_cast<std::size_t>(regularizer.group[m])] += lambda[m] * q[m];
  }
  return forms;
}

Vector best_shares(const MixedNormSaddle& regularizer, ConstSpan lambda, ConstSpan q) {
  constexpr double kNothing = 1e-14;
  Vector share = group_forms(regularizer, lambda, q);
  const double top = largest(share);
  double sum = 0.0;
  for (double& h : share) {
    const double relative = top > 0.0 ? h / top : 1.0;
    h = relative > kNothing ? std::pow(relative, 1.0 / (1.0 + regularizer.decay())) : 0.0;
    sum += h;
  }
  for (double& h : share) h /= sum;
  return share;
}

void normalise_groups(const std::vector<Index>& group, Vector& lambda) {
  const Vector sizes = group_sizes(group);
  const Vector sums = group_norms(lambda, group, 1.0);
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    const auto j = static_cast<std::size_t>(group[m]);
    lambda[m] = sums[j] > 0.0 ? lambda[m] / sums[j] : 1.0 / sizes[j];
  }
}

void multiply_within_groups(const std::vector<Index>& group, ConstSpan factor, Vector& lambda) {
  constexpr double kFloor = 1e-12;
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    lambda[m] = std::max(lambda[m], kFloor) * factor[m];
  }
  normalise_groups(group, lambda);
}

SaddleWeights closed_form(const MixedNormSaddle& regularizer, const SaddleWeights& weights,
                          ConstSpan q) {
  SaddleWeights next{weights.lambda, best_shares(regularizer, weights.lambda, q)};
  Vector root(q.size());
  std::ranges::transform(q, root.begin(), [](double value) { return std::sqrt(value); });
  multiply_within_groups(regularizer.group, root, next.lambda);
  return next;
}

double share_gap(const MixedNormSaddle& regularizer, const SaddleWeights& weights, ConstSpan q) {
  const double c = regularizer.decay();
  const Vector forms = group_forms(regularizer, weights.lambda, q);
  double value = 0.0;
  for (std::size_t j = 0; j < forms.size(); ++j) {
    if (weights.share[j] > 0.0) value += 0.5 * forms[j] * std::pow(weights.share[j], -c);
  }
  return std::max(value - 0.5 * power_norm(forms, 1.0 / (1.0 + c)), 0.0);
}

Point evaluate_saddle(const MixedNormSaddle& regularizer, Objective& run,
                      const SaddleWeights& weights, const std::string& step) {
  return run.evaluate(weights.kernel_weights(regularizer), step);
}

}  // namespace kernmix
