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
  std::string permute_within;  ///< of stability: the blocks of permutations
  bool leave_one_out = false;
  bool no_shuffle = false;
};

void add_fold_options(CLI::App& app, FoldArguments& arguments);

/// Checks before any file is read. \throws ParameterError for conflicting rules
void check_fold_options(const FoldArguments& arguments);

/// The columns with groups, folds or blocks, which are not features.
[[nodiscard]] std::vector<std::string> fold_columns(const FoldArguments& arguments);
/// The option whose column or file has an entry for every sample, so that none can be left out;
/// empty without one.
[[nodiscard]] std::string option_of_all_samples(const FoldArguments& arguments);

/// A text of each sample, from the column that an option names.
struct SampleTexts {
  std::string called = {};  ///< "group", for messages
  std::string source = {};
  std::vector<std::string> ids = {};
  std::vector<std::string> texts = {};
};
/// \throws ParameterError, DataError
[[nodiscard]] SampleTexts read_texts(const std::string& option, const std::string& called,
                                     const std::string& column, DataArguments files,
                                     const Context& context);
/// The texts of the samples of the table. \throws DataError naming a sample without one
[[nodiscard]] std::vector<std::string> texts_of(const SampleTexts& read, const Table& table);

/// What files say about folds: of --fold-column, and of --groups where other options define the
/// folds.
struct FoldTexts {
  SampleTexts folds = {};
  SampleTexts groups = {};
};
/// Empty without the options. \throws as read_texts()
[[nodiscard]] FoldTexts read_fold_column(const FoldArguments& arguments, const DataArguments& files,
                                         const Context& context);
/// These of each sample of a table.
struct FoldColumn {
  std::vector<std::string> folds = {};
  std::vector<std::string> groups = {};
};
/// \throws DataError naming a sample without one
[[nodiscard]] FoldColumn texts_of(const FoldTexts& read, const Table& table);
/// Of --groups; empty without the option. \throws as read_texts()
[[nodiscard]] SampleTexts read_groups(const FoldArguments& arguments, const DataArguments& files,
                                      const Context& context);

/// The values of --folds, --no-shuffle, --repeats and --seed. \throws ParameterError
[[nodiscard]] FoldOptions fold_numbers_asked(const FoldArguments& arguments,
                                             const Context& context);

/// The rule of these options for choose_folds(). \param column from read_fold_column
/// \throws ParameterError, DataError, ResourceError naming the option
[[nodiscard]] FoldRule fold_rule(const FoldArguments& arguments, const FoldColumn& column,
                                 const Dataset& data, const Context& context);

/// The folds of this rule. \param column from read_fold_column \param options of the model, with
/// groups; the loss determines whether there are classes \throws ParameterError, DataError for
/// folds that are impossible for these samples
[[nodiscard]] ChosenFolds choose_folds(const FoldArguments& arguments, const FoldColumn& column,
                                       const Dataset& data, const TrainOptions& options,
                                       const Context& context);

}  // namespace kernmix::cli
