#pragma once
/// \file
/// The weights of a mixed norm with q > 2 as a saddle point (docs/explanation/mixed-norms.md):
///
///   min_lambda max_{h, a}  gain(a) - 1/2 sum_j W_j / h_j^c,   W_j = sum_k lambda_jk q_jk,
///
/// lambda_j on a simplex for each group and h on one for all groups, c = (q - 2)/q. The papers
/// write gamma_j = h_j^c with ||gamma||_{q/(q-2)} = 1, which is the same set; in h it is linear.

#include <vector>

#include "regularizer/groups/mixed_norm.hpp"
#include "weights/objective.hpp"

namespace kernmix {

struct SaddleWeights {
  Vector lambda;  ///< one for each kernel
  Vector share;   ///< h, one for each group; 0 where W_j = 0: such a group contributes nothing

  /// d_jk = lambda_jk / h_j^c, and 0 in groups without a share.
  [[nodiscard]] Vector kernel_weights(const MixedNormSaddle& regularizer) const;
};

/// Even lambda and h.
[[nodiscard]] SaddleWeights even_saddle_weights(const MixedNormSaddle& regularizer);

/// W_j
[[nodiscard]] Vector group_forms(const MixedNormSaddle& regularizer, ConstSpan lambda, ConstSpan q);

/// The maximiser over h: h_j ~ W_j^{1/(1+c)}; even where all W_j are zero.
[[nodiscard]] Vector best_shares(const MixedNormSaddle& regularizer, ConstSpan lambda, ConstSpan q);

/// lambda_jk <- lambda_jk / sum_k lambda_jk; even in a group of zeros.
void normalise_groups(const std::vector<Index>& group, Vector& lambda);

/// lambda_jk <- lambda_jk factor_jk / sum_k lambda_jk factor_jk. A floor keeps every weight alive;
/// even in a group whose factors are all zero.
void multiply_within_groups(const std::vector<Index>& group, ConstSpan factor, Vector& lambda);

/// The closed-form step for lambda and h together: lambda ~ lambda sqrt(q), h as above.
[[nodiscard]] SaddleWeights closed_form(const MixedNormSaddle& regularizer,
                                        const SaddleWeights& weights, ConstSpan q);

/// What h alone could still gain: 1/2 sum_j W_j / h_j^c less its minimum over h.
[[nodiscard]] double share_gap(const MixedNormSaddle& regularizer, const SaddleWeights& weights,
                               ConstSpan q);

/// Evaluates J at the weights' d.
Point evaluate_saddle(const MixedNormSaddle& regularizer, Objective& run,
                      const SaddleWeights& weights, const std::string& step);

}  // namespace kernmix
