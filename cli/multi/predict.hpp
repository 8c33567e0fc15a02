#pragma once
/// \file
/// kernmix predict for models of many tasks.

#include <string>

#include "kernmix/model/multi.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Of classes: sample, label, one column of decision values for each class. Of labels: sample, one
/// column of 0 and 1 for each label, one of decision values, and with a logistic loss one of
/// probabilities.
[[nodiscard]] std::string multi_predictions_csv(const MultiModel& model, const Table& table,
                                                const MultiPrediction& prediction);

/// The same as a list of samples.
[[nodiscard]] Json multi_predictions_json(const MultiModel& model, const Table& table,
                                          const MultiPrediction& prediction);

}  // namespace kernmix::cli
