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

/// The samples whose weight in the column is not 0.
/// \throws DataError for a weight that is no number >= 0, naming its sample, and where all are 0
[[nodiscard]] std::vector<Index> samples_that_count(const Table& table, const std::string& column,
                                                    ConstSpan weights);
/// The column of a file that is no training set. \throws DataError where it is missing, or a weight
/// is no number
[[nodiscard]] Vector read_weights(const std::string& column, const DataArguments& files,
                                  const Context& context);
/// Says on standard error how many samples the weight 0 leaves out, unless none or --quiet.
void say_weightless(std::size_t all, std::size_t kept, const CommonArguments& common);

/// The weights and groups of the samples, for other options on the same ones.
void copy_of_samples(const TrainOptions& from, TrainOptions& to);

/// \throws ParameterError for --inlier beside a loss that learns from targets
void check_inlier(const TrainArguments& arguments, const TrainOptions& options);

/// What the classes of the data decide; kernels that the data cannot have are refused here, before
/// any fold. \throws DataError for labels that are numbers rather \throws as expand_kernels()
/// \param known  options whose kernels the data can have, or null: the same ones are not looked at
///               again, as a grid has many candidates
void complete_options(const Dataset& data, TrainOptions& options,
                      const TrainOptions* known = nullptr);

}  // namespace kernmix::cli
