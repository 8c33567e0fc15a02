#pragma once
/// \file
/// kernmix train --trace: how good the model would have been at moments of its training.

#include "kernmix/train.hpp"
#include "output.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// The held-out samples, with the classes or labels and all columns of the training data.
/// \throws DataError for what is missing there, before anything is trained
[[nodiscard]] Dataset read_held_out(const TrainArguments& arguments, const Dataset& training,
                                    const Context& context);

/// `seconds`, `svm_solves` and `metrics`: mean AUC and mean average precision over the classes or
/// labels that have both kinds of samples, of classes the accuracy, too.
[[nodiscard]] Json trace_row(const TrainingMoment& moment, const Dataset& held_out,
                             const Context& context);

}  // namespace kernmix::cli
