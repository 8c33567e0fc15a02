#pragma once
/// \file
/// Predictions as CSV and as JSON.

#include <string>

#include "kernmix/train.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// The first line.
[[nodiscard]] std::string predictions_titles(const Model& model, const Prediction& prediction);
/// A line for each sample: the prediction for regression; label and decision for classes; 0 or 1
/// and the decision of each label. The label is first if there are several tasks.
[[nodiscard]] std::string predictions_rows(const Model& model, const Table& table,
                                           const Prediction& prediction);

[[nodiscard]] Json predictions_json(const Model& model, const Table& table,
                                    const Prediction& prediction);

}  // namespace kernmix::cli
