#pragma once
/// \file
/// Kernels that act as the identity, whose weight tells nothing about their view.

#include <vector>

#include "kernmix/model.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Whether each kernel acts as the identity on the support vectors: |k(x, z)| is at most
/// 0.02 sqrt(k(x, x) k(z, z)) for 99 % of their pairs. Such a kernel separates the training samples
/// and predicts almost 0 for all others, whatever its columns. False for kernels without weight and
/// for those of given matrices, whose entries a model does not have. Cost: 200^2 entries of each
/// kernel.
[[nodiscard]] std::vector<bool> identity_kernels(const Model& model);

/// The weight that each kernel adds to its view: 0 for identity_kernels(), unless all of them with
/// weight are.
[[nodiscard]] Vector weights_in_views(const Model& model);

/// Shares of kernels as they count for their views: 0 for `identities`, and the rest has the sum 1;
/// unchanged where nothing would be left.
[[nodiscard]] Vector shares_in_views(ConstSpan shares, const std::vector<bool>& identities);

}  // namespace kernmix
