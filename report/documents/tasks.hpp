#pragma once
/// \file
/// The tasks of a model in words, as a table and as JSON.

#include <cstddef>
#include <string>
#include <vector>

#include "json_text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/model.hpp"

namespace kernmix::documents {

/// "5 classes, one-vs-rest, sum", "14 labels, minimax"; of a single task "the classes a (-1) and b
/// (+1)", "numbers: regression".
[[nodiscard]] std::string tasks_text(const Model& model);

/// "platt, 5 folds; labels follow from probabilities" of a calibrated model.
[[nodiscard]] std::string calibration_text(const Model& model);

/// Its method, folds and maps: their numbers, of isotonic ones how many knots they have.
[[nodiscard]] Json calibration_json(const Model& model);

/// How many samples of a training table each class or label of the model has; of a model without
/// such nothing.
[[nodiscard]] std::vector<Index> samples_per_name(const Model& model, const Table& table);

/// The true labels in the order of the names of a model.
/// \throws DataError for a label of the model that the table lacks
[[nodiscard]] MultiLabels labels_in_order(const std::vector<std::string>& names,
                                          const Table& table);

/// The true numbers in the order of the names of a model: n x T.
/// \throws DataError for a target of the model that the table lacks
[[nodiscard]] Matrix targets_in_order(const std::vector<std::string>& names, const Table& table);

/// A line for each task, those with the largest objectives first: the ones that minimax is about.
[[nodiscard]] std::string tasks_table(const Model& model, std::size_t limit = 30);

/// One entry for each task; kernel weights where the tasks have their own.
[[nodiscard]] Json tasks_json(const Model& model);

}  // namespace kernmix::documents
