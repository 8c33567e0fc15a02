#pragma once
/// \file
/// The options of kernmix train, with the checks that need no file.

#include <string>
#include <vector>

#include "command.hpp"
#include "kernmix/settings.hpp"
#include "options.hpp"

namespace kernmix::cli {

struct TrainArguments {
  CommonArguments common;
  DataArguments data;
  std::vector<std::string> views;
  std::string sample_weight;
  SettingTexts settings;  ///< the given settings
  std::string groups;     ///< for train; commands with folds have FoldArguments::groups
  std::string trace;
  std::string output;
};

/// Views and base kernels.
void add_kernel_choice(CLI::App& app, TrainArguments& arguments);

/// Weights of classes and samples, and the positive class.
void add_weighting(CLI::App& app, TrainArguments& arguments);

/// Options of the kernels, the problem and the solver.
void add_learning_options(CLI::App& app, TrainArguments& arguments);

/// These options and the output options of train.
void add_train_options(CLI::App& app, TrainArguments& arguments);

/// \throws ParameterError for errors that can be detected before a file is read
[[nodiscard]] TrainOptions train_options(const TrainArguments& arguments);

/// \throws ParameterError: --trace is for many classes, labels or targets
[[noreturn]] void refuse_trace_of_one();

}  // namespace kernmix::cli
