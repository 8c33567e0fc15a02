#pragma once
/// \file
/// Options that several commands share: resources, messages, and where the data comes from.

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/train.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace kernmix::cli {

/// Of every command that computes.
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
void add_common_options(CLI::App& app, CommonArguments& arguments);

/// --memory and --time-limit alone, of commands that only read.
void add_limit_options(CLI::App& app, CommonArguments& arguments);

/// What --memory and --time-limit say; the time counts from now.
[[nodiscard]] Context limits_of(const CommonArguments& arguments);
/// The same of a command whose configuration file is not read yet. \throws ParameterError
[[nodiscard]] Context limits_of(const CLI::App& app);

/// The context that the options ask for; counts the time limit from now. `progress` must outlive
/// it; `log` receives what the library decided.
[[nodiscard]] Context make_context(const CommonArguments& arguments, ProgressLine& progress,
                                   std::vector<std::string>& log);

/// Where samples come from.
struct DataArguments {
  std::vector<std::string> files;
  std::string format;
  bool no_header = false;
  std::string label;
  std::vector<std::string> labels;
  std::vector<std::string> targets;
  std::string id;
  std::vector<std::string> ignore;
  std::vector<std::string> grams;
  std::vector<std::string> distances;
  std::string inlier;         ///< of commands with add_inlier_option()
  bool takes_inlier = false;  ///< it was called
};
/// \param label_help what --label is for in this command
void add_data_options(CLI::App& app, DataArguments& arguments, const std::string& label_help);

/// --inlier, of commands that compare a novelty detector with labels.
void add_inlier_option(CLI::App& app, DataArguments& arguments);

/// Of every command that uses a trained model.
struct ModelArguments {
  CommonArguments common;
  DataArguments data;
  std::string model;
};
/// MODEL and where the samples come from.
void add_model_options(CLI::App& app, ModelArguments& arguments, const std::string& label_help);

/// What such a command begins with: checked files, the context and the model.
struct ModelSession {
  /// \throws ParameterError, DataError or ResourceError before any work
  ModelSession(const ModelArguments& arguments, const std::vector<OutputFile>& outputs);

  ProgressLine progress;
  std::vector<std::string> log;
  Context context;
  Model model;
};

/// Every file that the data comes from, without NAME=.
[[nodiscard]] std::vector<std::string> input_files(const DataArguments& arguments);

/// \throws ParameterError for an unknown --format
[[nodiscard]] ReadOptions read_options(const DataArguments& arguments, const Context& context);

/// --gram and --distance: a file's stack of M > 1 matrices becomes NAME[0] .. NAME[M-1].
[[nodiscard]] std::vector<MatrixView> read_matrix_views(const DataArguments& arguments,
                                                        const Context& context);

/// The data for a command that uses a trained model: `columns` only, others may hold anything.
/// \param categories  of the training data: what words in the columns stand for
/// \throws ParameterError when columns are needed and no file is given
[[nodiscard]] Dataset read_columns(const std::vector<std::string>& columns,
                                   const std::vector<Categories>& categories,
                                   const DataArguments& arguments, ReadOptions options);

/// "12 samples were left out: not in every file"
[[nodiscard]] std::string left_out_text(Index samples);
/// Says on standard error how many samples were left out, unless none were or --quiet.
void say_left_out(const Table& table, const CommonArguments& common);

/// The id of a sample or, without ids, its number from 1.
[[nodiscard]] std::string sample_name(const Table& table, Index i);

}  // namespace kernmix::cli
