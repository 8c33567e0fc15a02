#pragma once
/// \file
/// Training samples of commands.

#include "fold_options.hpp"
#include "kernmix/train.hpp"
#include "search_json.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// \throws ParameterError unless there are files with samples
void require_files(bool given);
/// The same for tables and Gram matrices.
void require_data(const DataArguments& data);

/// Tables with their views, and matrices; the columns of --sample-weight and --groups become
/// options, and samples of weight 0 are removed. \param folds its columns are not features
/// \param sizes if not null: receives the sizes of --sets
[[nodiscard]] Dataset read_training_data(const TrainArguments& arguments, const Context& context,
                                         TrainOptions& options, const FoldArguments& folds = {},
                                         std::vector<SetSize>* sizes = nullptr);

/// The samples with nonzero weight in the column. \throws DataError for a weight that is not a
/// number >= 0, naming its sample, and if all are 0
[[nodiscard]] std::vector<Index> samples_that_count(const Table& table, const std::string& column,
                                                    ConstSpan weights);
/// The weight column of a file for evaluation, of the samples of the table. \throws DataError if it
/// is missing, or a weight is not a number
[[nodiscard]] Vector read_weights(const std::string& column, const DataArguments& files,
                                  const Table& table, const Context& context);
/// Writes the number of samples of weight 0 to standard error, unless it is 0 or with --quiet.
void say_weightless(std::size_t all, std::size_t kept, const CommonArguments& common);

/// Copies the weights and groups of the samples to other options for the same samples.
void copy_of_samples(const TrainOptions& from, TrainOptions& to);

/// \throws ParameterError for --inlier with a loss for targets
void check_inlier(const TrainArguments& arguments, const TrainOptions& options);

/// Completes options that depend on the classes of the data, and checks the kernels for this data
/// before any fold. \throws DataError for labels that are probably numbers \throws as
/// expand_kernels() \param known options with checked kernels, or null; equal kernels are not
/// checked again, because a grid has many candidates
void complete_options(const Dataset& data, TrainOptions& options,
                      const TrainOptions* known = nullptr);

}  // namespace kernmix::cli
