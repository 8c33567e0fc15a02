#pragma once
/// \file
/// Parts of a data set, to train on some samples and predict the others.

#include <cstdint>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// The fold of each of n samples, 0 .. folds - 1: of equal size up to one, shuffled with `seed`.
[[nodiscard]] std::vector<Index> random_folds(Index n, Index folds, std::uint64_t seed);

/// The labels `labels` of the samples `rows`.
[[nodiscard]] MultiLabels labels_at(const MultiLabels& all, const std::vector<Index>& rows,
                                    const std::vector<Index>& labels);
[[nodiscard]] Matrix rows_at(const ConstMatrix& matrix, const std::vector<Index>& rows);

/// A row or column that a matrix does not have.
inline constexpr Index no_place = -1;

/// Some rows and columns of a matrix, without its names; a copy if it or its factor is in memory.
/// With no_place among them, which are zeros, it is read where it is.
/// \throws ResourceError if the copy exceeds the memory budget, or the context says stop
[[nodiscard]] GivenMatrix part_of_matrix(const GivenMatrix& matrix, const std::vector<Index>& rows,
                                         const std::vector<Index>& columns,
                                         const Context& context = {});

/// The samples `rows` with the labels `labels` of a data set for training. Matrices have columns
/// for the samples `against`, without copying: `rows`, or the training samples of a model.
[[nodiscard]] Dataset part_of(const Dataset& data, const std::vector<Index>& rows,
                              const std::vector<Index>& against, const std::vector<Index>& labels);

/// Indices of nonzero weights.
[[nodiscard]] std::vector<Index> samples_with_weight(ConstSpan weights);

/// Some samples of a data set for training, with all labels.
[[nodiscard]] Dataset samples_at(const Dataset& data, const std::vector<Index>& samples);

/// The same without the others for good, as if these had never been there: a view that only they
/// lacked is complete.
[[nodiscard]] Dataset only_samples(const Dataset& data, const std::vector<Index>& samples);

}  // namespace kernmix
