#pragma once
/// \file
/// The samples that a command learns from.

#include "fold_options.hpp"
#include "kernmix/train.hpp"
#include "search_json.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// Tables with their views, and matrices; the columns of --sample-weight and --groups become
/// options, and samples of weight 0 are left out. \param folds  whose columns are no features
[[nodiscard]] Dataset read_training_data(const TrainArguments& arguments, const Context& context,
                                         TrainOptions& options, const FoldArguments& folds = {});

/// The weights and groups of the samples, for other options on the same ones.
void copy_of_samples(const TrainOptions& from, TrainOptions& to);

/// \throws ParameterError for --inlier beside a loss that learns from targets
void check_inlier(const TrainArguments& arguments, const TrainOptions& options);

/// What the classes of the data decide; kernels that the data cannot have are refused here, before
/// any fold. \throws DataError for labels that are numbers rather \throws as expand_kernels()
/// \param known  options whose kernels the data can have, or null: the same ones are not looked at
///               again, as a grid has many candidates
void complete_options(const TrainArguments& arguments, const Dataset& data, TrainOptions& options,
                      const TrainOptions* known = nullptr);

}  // namespace kernmix::cli
