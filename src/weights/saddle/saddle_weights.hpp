#pragma once
/// \file
/// The weights of a mixed norm with q > 2 as a saddle point (docs/explanation/mixed-norms.md):
///
///   min_lambda max_{h, a}  gain(a) - 1/2 sum_j W_j / h_j^c,   W_j = sum_k lambda_jk q_jk,
///
/// with c = (q - 2)/q. Each lambda_j lies on a simplex for its group, and h lies on one simplex
/// over all groups. The papers write gamma_j = h_j^c with ||gamma||_{q/(q-2)} = 1, which describes
/// the same set. The constraint is linear in h.

#include <vector>

#include "regularizer/groups/mixed_norm.hpp"
#include "weights/objective.hpp"

namespace kernmix {

struct SaddleWeights {
  Vector lambda;  ///< one per kernel
  Vector share;   ///< h, one per group; 0 if W_j = 0, since that group contributes nothing

  /// d_jk = lambda_jk / h_j^c, and 0 in groups without a share.
  [[nodiscard]] Vector kernel_weights(const MixedNormSaddle& regularizer) const;
};

/// Equal lambda within each group and equal h.
[[nodiscard]] SaddleWeights even_saddle_weights(const MixedNormSaddle& regularizer);

/// W_j
[[nodiscard]] Vector group_forms(const MixedNormSaddle& regularizer, ConstSpan lambda, ConstSpan q);

/// The maximiser over h: h_j ~ W_j^{1/(1+c)}. The shares are equal if all W_j are zero.
[[nodiscard]] Vector best_shares(const MixedNormSaddle& regularizer, ConstSpan lambda, ConstSpan q);

/// lambda_jk <- lambda_jk / sum_k lambda_jk. The result is uniform in a group of zeros.
void normalise_groups(const std::vector<Index>& group, Vector& lambda);

/// lambda_jk <- lambda_jk factor_jk / sum_k lambda_jk factor_jk. A floor keeps every weight
/// positive before the multiplication. The result is uniform in a group whose factors are all zero.
void multiply_within_groups(const std::vector<Index>& group, ConstSpan factor, Vector& lambda);

/// The closed-form step for lambda and h together: lambda ~ lambda sqrt(q), h from best_shares().
[[nodiscard]] SaddleWeights closed_form(const MixedNormSaddle& regularizer,
                                        const SaddleWeights& weights, ConstSpan q);

/// The largest possible gain from h alone: 1/2 sum_j W_j / h_j^c minus its minimum over h.
[[nodiscard]] double share_gap(const MixedNormSaddle& regularizer, const SaddleWeights& weights,
                               ConstSpan q);

/// Evaluates J at the kernel weights d of `weights`.
Point evaluate_saddle(const MixedNormSaddle& regularizer, Objective& run,
                      const SaddleWeights& weights, const std::string& step);

/// The regularizers that the solvers of this folder support.
struct TakesSaddleWeights {
  static constexpr const char* needs = "weights that are a saddle point, as those of q > 2 are";
  template <typename R>
  static constexpr bool takes = HasSaddleWeights<R>;
};

}  // namespace kernmix
