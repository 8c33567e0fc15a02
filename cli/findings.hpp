#pragma once
/// \file
/// How good predictions are: tables of metrics, and the part of the JSON that depends on the model.

#include <string>

#include "kernmix/train.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// \param inlier  of a novelty detector: the label of samples that are no novelty, or empty
/// \param weights  how often each sample counts, > 0; {}: once
/// \throws DataError or ParameterError where the table has no labels or others than the model
[[nodiscard]] Findings findings_of(const Model& model, const Table& table,
                                   const Prediction& prediction, const std::string& inlier,
                                   ConstSpan weights);

}  // namespace kernmix::cli
