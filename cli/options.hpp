#pragma once
/// \file
/// Options common to several commands: resources, messages, and sources of data.

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "command.hpp"
#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/sets.hpp"
#include "kernmix/train.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace kernmix::cli {

/// Options of commands with a computation.
struct CommonArguments {
  std::string threads;
  std::string memory;
  std::string time_limit;
  std::string seed = "0";
  std::string json;
  std::string config;
  bool quiet = false;
  bool verbose = false;
};
/// What a command has at the end of its time limit, for the help.
inline constexpr const char* kAnswersSoFar =
    "with the answers that it has certified so far, with code 5, or without a result, with code 4";
inline constexpr const char* kNoResult = "without a result, with code 4";
void add_common_options(CLI::App& app, CommonArguments& arguments, const char* at_limit);

/// Only --memory and --time-limit, for commands that only read.
void add_limit_options(CLI::App& app, CommonArguments& arguments);

/// The values of --memory and --time-limit; the time starts now.
[[nodiscard]] Context limits_of(const CommonArguments& arguments);
/// The same for a command before its configuration file is read. \throws ParameterError
[[nodiscard]] Context limits_of(const CLI::App& app);

/// The context of the options; the time limit starts now. `progress` must outlive it; `log`
/// receives what the library decided.
[[nodiscard]] Context make_context(const CommonArguments& arguments, ProgressLine& progress,
                                   std::vector<std::string>& log);

/// The help of --label in commands that also train novelty detectors without labels.
inline constexpr const char* kTrainingLabel =
    "Column with the labels: classes, or numbers with --loss squared or another loss of regression "
    "(required, except with --labels or --targets, with LIBSVM files and for novelty detection)";

/// Sources of samples.
struct DataArguments {
  std::vector<std::string> files;
  std::string format;
  bool no_header = false;
  std::string decimal;
  std::string thousands;
  std::string label;
  std::vector<std::string> labels;
  std::vector<std::string> targets;
  std::string id;
  std::vector<std::string> ignore;
  std::vector<std::string> na;
  std::vector<std::string> categorical;
  std::vector<std::string> grams;
  std::vector<std::string> distances;
  std::vector<std::string> sets;  ///< for commands with add_sets_option()
  std::string inlier;             ///< for commands with add_inlier_option()
  bool takes_inlier = false;      ///< add_inlier_option() was called
};
/// \param label_help help of --label in this command
void add_data_options(CLI::App& app, DataArguments& arguments, const std::string& label_help);

/// --decimal and --thousands, the notation of numbers in CSV and TSV files.
void add_notation_options(OptionGroup& data, DataArguments& arguments);

/// --na and --categorical, for commands that train, whose model remembers them, and inspect.
void add_cell_options(CLI::App& app, DataArguments& arguments, bool trains = true);

/// --sets, for commands that train, and inspect.
void add_sets_option(OptionGroup& group, DataArguments& arguments, bool trains = true);

/// The files of --sets. \throws as read_sets()
[[nodiscard]] std::vector<ColumnSets> read_all_sets(const DataArguments& arguments,
                                                    const Context& context);

/// "cells.csv: 120 of 765 columns are in no view and are not used"
[[nodiscard]] std::string unused_columns_text(const Table& table, const SetViews& found);

/// --inlier, for commands that compare a novelty detector with labels.
void add_inlier_option(CLI::App& app, DataArguments& arguments);

/// Options of commands with a trained model.
struct ModelArguments {
  CommonArguments common;
  DataArguments data;
  std::string model;
};
/// MODEL and the sources of samples.
void add_model_options(CLI::App& app, ModelArguments& arguments, const std::string& label_help);

/// The start of a command with a trained model: the context and the model.
struct ModelSession {
  /// \throws ParameterError, DataError or ResourceError before any work
  explicit ModelSession(const ModelArguments& arguments);

  ProgressLine progress;
  std::vector<std::string> log;
  Context context;
  Model model;
};

/// At most 16 bytes; fewer or none of a short or missing file.
[[nodiscard]] std::string first_bytes(const std::string& file);

/// All data files, without NAME=, for results.
[[nodiscard]] std::vector<std::string> input_files(const DataArguments& arguments);

/// \throws ParameterError for an unknown --format
[[nodiscard]] ReadOptions read_options(const DataArguments& arguments, const Context& context);
/// The same where standard input is read once: it is not kept to be read again.
[[nodiscard]] ReadOptions read_options_once(const DataArguments& arguments, const Context& context);

/// Adds --gram and --distance, named and cut as open_matrix_file() does, to a table that shares the
/// memory with them. \param columns  as there
void add_matrices(const DataArguments& arguments, const Context& context, Dataset& data,
                  const std::vector<Index>& columns = {});

/// What the samples of a command are: of training, which stand in rows and columns of a matrix, or
/// new ones.
enum class MatrixUse { training, prediction };

/// The data for a command that uses a trained model: only `columns`; other columns may have any
/// content. \param reading how training read them \throws ParameterError if columns are needed and
/// no file is given
[[nodiscard]] Dataset read_columns(const std::vector<std::string>& columns,
                                   const ColumnReading& reading, const DataArguments& arguments,
                                   ReadOptions options, MatrixUse use = MatrixUse::prediction,
                                   const std::vector<Index>& matrix_columns = {},
                                   const LandmarkRule& landmarks = {});
/// The same for the columns of a model and new samples.
[[nodiscard]] Dataset read_new_data(const Model& model, const DataArguments& arguments,
                                    ReadOptions options);
/// \throws DataError naming the option of each matrix that the model reads, if none is given
void require_matrices(const Model& model, const DataArguments& arguments);

/// \throws DataError naming a sample that has none of the views of the model
void require_some_view(const Table& table, const Prediction& prediction);

/// "12 samples were left out: not in every file"
[[nodiscard]] std::string left_out_text(Index samples);
/// Writes what was recognised in the files, and the number of omitted samples, to standard error,
/// unless with --quiet.
void say_of_reading(const Table& table, const CommonArguments& common);

/// The id of a sample or, without ids, its number from 1.
[[nodiscard]] std::string sample_name(const Table& table, Index i);

}  // namespace kernmix::cli
