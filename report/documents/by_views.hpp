#pragma once
/// \file
/// How good predictions are for samples that have the same views.

#include <string>

#include "json_text.hpp"
#include "kernmix/train.hpp"

namespace kernmix::documents {

/// A table of the first metric for each set of views that samples have, and the same as JSON:
/// [{views, n_samples, metrics}]; empty for a model whose training samples had all views.
/// \param inlier, weights as of findings_of()
[[nodiscard]] Findings findings_by_views(const Model& model, const Table& table,
                                         const Prediction& prediction, const std::string& inlier,
                                         ConstSpan weights);

}  // namespace kernmix::documents
