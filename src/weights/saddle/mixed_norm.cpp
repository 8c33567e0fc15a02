#include "weights/saddle/mixed_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regularizer/groups/groups.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

constexpr double kMaximumNorm = std::numeric_limits<double>::infinity();

/// -2 dV/dlambda_jk = q_jk / gamma_j
Vector slopes_in_lambda(const MixedNormSaddle& regularizer, const SaddleWeights& weights,
                        ConstSpan q) {
  const SaddleWeights ones{Vector(q.size(), 1.0), weights.share};
  Vector slope = ones.kernel_weights(regularizer);
  for (std::size_t m = 0; m < slope.size(); ++m) slope[m] *= q[m];
  return slope;
}

/// The largest possible gain from lambda at this a and gamma: sum_j max_k - W_j/gamma_j, halved.
double lambda_gap(const MixedNormSaddle& regularizer, const SaddleWeights& weights, ConstSpan q) {
  const Vector slope = slopes_in_lambda(regularizer, weights, q);
  double gap = 0.0;
  for (const double top : group_norms(slope, regularizer.group, kMaximumNorm)) gap += 0.5 * top;
  for (std::size_t m = 0; m < slope.size(); ++m) gap -= 0.5 * weights.lambda[m] * slope[m];
  return std::max(gap, 0.0);
}

/// Entropic mirror descent on a product of simplexes (docs/reference/solvers/mirror-descent.md):
/// lambda_jk <- lambda_jk exp(-eta g_jk) / sum, eta = sqrt(log max_j n_j) / (||g||_inf sqrt(t)).
void mirror_step_in_groups(const MixedNormSaddle& regularizer, ConstSpan q, int t,
                           SaddleWeights& weights) {
  Vector slope = slopes_in_lambda(regularizer, weights, q);
  const double top = largest(slope);
  if (!(top > 0.0)) return;
  const double eta = std::sqrt(std::log(largest(group_sizes(regularizer.group))) / t);
  const Vector best = group_norms(slope, regularizer.group, kMaximumNorm);
  for (std::size_t m = 0; m < slope.size(); ++m) {
    const double below = best[static_cast<std::size_t>(regularizer.group[m])] - slope[m];
    slope[m] = std::exp(-eta * below / top);
  }
  multiply_within_groups(regularizer.group, slope, weights.lambda);
}

}  // namespace

void alternating_saddle(const MixedNormSaddle& regularizer, Objective& run) {
  SaddleWeights weights = even_saddle_weights(regularizer);
  Point point = evaluate_saddle(regularizer, run, weights, "start");
  while (!run.finished()) {
    weights = closed_form(regularizer, weights, point.q);
    point = evaluate_saddle(regularizer, run, weights, "closed-form");
  }
}

void mixed_norm_printed(const MixedNormSaddle& regularizer, Objective& run) {
  SaddleWeights weights = even_saddle_weights(regularizer);
  Point point = evaluate_saddle(regularizer, run, weights, "start");
  while (!run.finished()) {
    const auto is_open = [&] {
      return lambda_gap(regularizer, weights, point.q) > 0.5 * point.certificate.outer_gap;
    };
    for (int t = 1; !run.finished() && is_open(); ++t) {  // restarts for each gamma
      mirror_step_in_groups(regularizer, point.q, t, weights);
      point = evaluate_saddle(regularizer, run, weights, "mirror");
    }
    if (run.finished()) return;
    weights.share = best_shares(regularizer, weights.lambda, point.q);
    point = evaluate_saddle(regularizer, run, weights, "closed-form");
  }
}

void mixed_norm_sound(const MixedNormSaddle& regularizer, Objective& run) {
  constexpr double kSettled = 0.01;
  SaddleWeights weights = even_saddle_weights(regularizer);
  Point point = evaluate_saddle(regularizer, run, weights, "start");
  for (int t = 1; !run.finished(); ++t) {
    while (!run.finished() && share_gap(regularizer, weights, point.q) >
                                  kSettled * lambda_gap(regularizer, weights, point.q)) {
      weights.share = best_shares(regularizer, weights.lambda, point.q);
      point = evaluate_saddle(regularizer, run, weights, "closed-form");
    }
    if (run.finished()) return;
    mirror_step_in_groups(regularizer, point.q, t, weights);
    point = evaluate_saddle(regularizer, run, weights, "mirror");
  }
}

}  // namespace kernmix
