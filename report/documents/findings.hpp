#pragma once
/// \file
/// How good predictions are: tables of metrics, and the part of the JSON that depends on the model.

#include <string>

#include "json_text.hpp"
#include "kernmix/train.hpp"

namespace kernmix::documents {

/// "The larger class, 'a', is taken for the inliers and 'b' for the outliers: name others with
/// --inlier."
[[nodiscard]] std::string guessed_inliers(const BinaryLabels& classes);

/// \param inlier  of a novelty detector: the label of samples that are no novelty, or empty
/// \param weights  how often each sample counts, > 0; {}: once
/// \throws DataError or ParameterError where the table has no labels or others than the model
[[nodiscard]] Findings findings_of(const Model& model, const Table& table,
                                   const Prediction& prediction, const std::string& inlier,
                                   ConstSpan weights);

}  // namespace kernmix::documents
