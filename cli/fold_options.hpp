#pragma once
/// \file
/// How commands that hold samples out are told which: cv, tune, compare and stability.

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

/// Before any file is read. \throws ParameterError for rules that exclude each other
void check_fold_options(const FoldArguments& arguments);

/// The columns that say groups or folds: they are no features.
[[nodiscard]] std::vector<std::string> fold_columns(const FoldArguments& arguments);

/// What --fold-column says of each sample; empty where none is named. \throws ParameterError,
/// DataError
[[nodiscard]] std::vector<std::string> read_fold_column(const FoldArguments& arguments,
                                                        const DataArguments& files,
                                                        const Context& context);

/// The group of each sample, numbers from 0 in the order of their texts; empty without --groups.
/// \throws ParameterError, DataError
[[nodiscard]] std::vector<Index> read_groups(const FoldArguments& arguments,
                                             const DataArguments& files, const Context& context);

/// What --folds, --no-shuffle, --repeats and --seed ask for. \throws ParameterError
[[nodiscard]] FoldOptions fold_numbers_asked(const FoldArguments& arguments,
                                             const Context& context);

/// What these options ask of choose_folds().
/// \param column  of read_fold_column
/// \throws ParameterError, DataError, ResourceError naming the option
[[nodiscard]] FoldRule fold_rule(const FoldArguments& arguments,
                                 const std::vector<std::string>& column, const Dataset& data,
                                 const Context& context);

/// The same, dealt.
/// \param column  of read_fold_column
/// \param options  of the model, whose loss says whether there are classes; with the groups
/// \throws ParameterError, DataError for folds that cannot be had of these samples
[[nodiscard]] ChosenFolds choose_folds(const FoldArguments& arguments,
                                       const std::vector<std::string>& column, const Dataset& data,
                                       const TrainOptions& options, const Context& context);

/// The texts of a column, in the order of the samples. \param option  that names it
/// \param called  what one of them is, for messages
[[nodiscard]] std::vector<std::string> read_texts(const std::string& option,
                                                  const std::string& called,
                                                  const std::string& column, DataArguments files,
                                                  const Context& context);

}  // namespace kernmix::cli
