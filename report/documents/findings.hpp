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

/// \param inlier label of the inliers of a novelty detector, or empty \param weights of the
/// samples, > 0; {}: all 1 \throws DataError or ParameterError if the table has no labels or other
/// labels than the model
[[nodiscard]] Findings findings_of(const Model& model, const Table& table,
                                   const Prediction& prediction, const std::string& inlier,
                                   ConstSpan weights);

}  // namespace kernmix::documents
