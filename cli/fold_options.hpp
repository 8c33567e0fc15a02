#pragma once
/// \file
/// How commands that hold samples out are told which: cv, tune, compare and stability.

#include <string>
#include <vector>

#include "kernmix/folds.hpp"
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

/// Each fold names every sample once. \param option  that asks for so many folds
/// \throws ResourceError where that alone takes more than the budget
void require_room_for_folds(const std::string& option, double folds, Index n,
                            const Context& context);

struct ChosenFolds {
  std::vector<Fold> folds;
  std::string rule;                   ///< "5 folds, stratified, shuffled with seed 0"
  std::vector<std::string> warnings;  ///< of classes that some fold lacks
};

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

/// Of whole groups where there are any, else stratified where samples have one class each.
/// \param column  of read_fold_column
/// \param options  of the model, whose loss says whether there are classes; with the groups
/// \throws ParameterError, DataError for folds that cannot be had of these samples
[[nodiscard]] ChosenFolds choose_folds(const FoldArguments& arguments,
                                       const std::vector<std::string>& column, const Dataset& data,
                                       const TrainOptions& options, const Context& context);

/// The class of each sample, numbers from 0; empty where samples do not have one class each.
[[nodiscard]] std::vector<Index> classes_of(const Table& table, const TrainOptions& options);

}  // namespace kernmix::cli
