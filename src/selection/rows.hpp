#pragma once
/// \file
/// Rows of predictions and of the truth.

#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

[[nodiscard]] Prediction prediction_at(const Prediction& all, const std::vector<Index>& rows);

/// Labels, classes or numbers of the samples `rows`, for scores(); no features.
[[nodiscard]] Table truth_at(const Table& table, const std::vector<Index>& rows);

}  // namespace kernmix
