#pragma once
/// \file
/// kernmix evaluate for models of many tasks.

#include "kernmix/model/multi.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Tables of metrics, of every class or label, and the part of the JSON that depends on the model.
/// \throws DataError or ParameterError where the table has no labels or others than the model
[[nodiscard]] Findings evaluate_multi(const MultiModel& model, const Table& table,
                                      const MultiPrediction& prediction);

}  // namespace kernmix::cli
