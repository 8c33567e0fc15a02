#pragma once
/// \file
/// kernmix train --trace: scores of snapshots of the training.

#include "kernmix/train.hpp"
#include "output.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// The held-out samples, with the classes or labels and all columns of the training data.
/// \throws DataError for missing columns or labels, before training
[[nodiscard]] Dataset read_held_out(const TrainArguments& arguments, const Dataset& training,
                                    MissingRule missing, const Context& context);

/// `seconds`, `svm_solves` and `metrics`: mean AUC and mean average precision over the classes or
/// labels with both kinds of samples; for classes also the accuracy.
[[nodiscard]] Json trace_row(const TrainingSnapshot& moment, const Dataset& held_out,
                             const Context& context);

}  // namespace kernmix::cli
