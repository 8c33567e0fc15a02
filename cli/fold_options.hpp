#pragma once
/// \file
/// Options for held-out samples of cv, tune, compare and stability.

#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/study.hpp"
#include "kernmix/train.hpp"
#include "options.hpp"

namespace kernmix::cli {

struct FoldArguments {
  std::string folds = "5";
  std::string repeats = "1";
  std::string groups;
  std::string fold_column;
  std::string split_file;
  bool leave_one_out = false;
  bool no_shuffle = false;
};

void add_fold_options(CLI::App& app, FoldArguments& arguments);

/// Checks before any file is read. \throws ParameterError for conflicting rules
void check_fold_options(const FoldArguments& arguments);

/// The columns with groups or folds, which are not features.
[[nodiscard]] std::vector<std::string> fold_columns(const FoldArguments& arguments);

/// The value of --fold-column for each sample of the table; empty without the option. \throws
/// ParameterError, DataError
[[nodiscard]] std::vector<std::string> read_fold_column(const FoldArguments& arguments,
                                                        const DataArguments& files,
                                                        const Table& table, const Context& context);

/// The group of each sample of the table, numbers from 0 in the order of their texts; empty without
/// --groups. \throws ParameterError, DataError
[[nodiscard]] std::vector<Index> read_groups(const FoldArguments& arguments,
                                             const DataArguments& files, const Table& table,
                                             const Context& context);

/// The values of --folds, --no-shuffle, --repeats and --seed. \throws ParameterError
[[nodiscard]] FoldOptions fold_numbers_asked(const FoldArguments& arguments,
                                             const Context& context);

/// The rule of these options for choose_folds(). \param column from read_fold_column
/// \throws ParameterError, DataError, ResourceError naming the option
[[nodiscard]] FoldRule fold_rule(const FoldArguments& arguments,
                                 const std::vector<std::string>& column, const Dataset& data,
                                 const Context& context);

/// The folds of this rule. \param column from read_fold_column \param options of the model, with
/// groups; the loss determines whether there are classes \throws ParameterError, DataError for
/// folds that are impossible for these samples
[[nodiscard]] ChosenFolds choose_folds(const FoldArguments& arguments,
                                       const std::vector<std::string>& column, const Dataset& data,
                                       const TrainOptions& options, const Context& context);

/// The texts of a column, in the order of the samples. \param option that names it \param called
/// description of a text, for messages \param ids  of the samples, if they have ids
[[nodiscard]] std::vector<std::string> read_texts(const std::string& option,
                                                  const std::string& called,
                                                  const std::string& column, DataArguments files,
                                                  const std::vector<std::string>& ids,
                                                  const Context& context);

}  // namespace kernmix::cli
