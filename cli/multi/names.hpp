#pragma once
/// \file
/// What many tasks are called in options, tables and JSON.

#include <string>
#include <vector>

#include "kernmix/data.hpp"
#include "kernmix/model/multi.hpp"

namespace kernmix::cli {

/// "5 classes, one-vs-rest, sum", "14 labels, minimax".
[[nodiscard]] std::string tasks_text(const MultiModel& model);

/// How many samples of a training table each class or label of the model has.
[[nodiscard]] std::vector<Index> samples_per_name(const MultiModel& model, const Table& table);

/// The true labels in the order of the names of a model.
/// \throws DataError for a label of the model that the table lacks
[[nodiscard]] MultiLabels labels_in_order(const std::vector<std::string>& names,
                                          const Table& table);

}  // namespace kernmix::cli
