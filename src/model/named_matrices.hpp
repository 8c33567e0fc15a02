#pragma once
/// \file
/// Names of samples in given matrices.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// Bytes in memory of the table and the matrices.
[[nodiscard]] std::size_t held_bytes(const Dataset& data);

/// True for names that number the samples: 1, 2, ... or 0, 1, ..., with or without the V or X that
/// R puts in front.
[[nodiscard]] bool only_count(const std::vector<std::string>& names);

/// The columns of the model's support vectors, or of those that are `present`, in a matrix of new
/// samples; nullopt: by position. \throws DataError if some have no column, or if the model has no
/// ids
[[nodiscard]] std::optional<std::vector<Index>> named_support(const Model& model,
                                                              const MatrixView& view,
                                                              const PresentSamples* present);

/// Sentences on columns of matrices that are neither training samples of the model nor new samples
/// of the table, and are therefore not read. A model has the ids of its support vectors, and the
/// number of its other training samples.
[[nodiscard]] std::vector<std::string> notes_on_columns(const Model& model, const Dataset& data);

/// \throws DataError for a matrix whose rows have other names than the samples
void check_row_names(const Table& table, const MatrixView& view);

/// \throws DataError for a training matrix whose columns have other names than its rows
void check_column_names(const MatrixView& view);

}  // namespace kernmix
