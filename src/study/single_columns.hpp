#pragma once
/// \file
/// Columns that predict the classes alone nearly as well as all columns together.

#include <optional>

#include "kernmix/study.hpp"

namespace kernmix {

/// The warning `column-predicts-alone`: leaving out each sample, its class is predicted by the ten
/// samples with the nearest values of the column. The column is named if at least 97 % of these
/// predictions are right, and if they gain at least nine tenths of what `accuracy`, that of all
/// columns, gains over the largest class.
[[nodiscard]] std::optional<Warning> warning_of_single_columns(const Dataset& data, double accuracy,
                                                               const Context& context);

}  // namespace kernmix
