#pragma once
/// \file
/// What kernmix train is asked: its options, and what can be refused before a file is read.

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
  SettingTexts settings;  ///< those that are written
  std::string groups;     ///< of train; commands with folds have FoldArguments::groups
  std::string trace;
  std::string output;
};

/// Views and base kernels.
void add_kernel_choice(CLI::App& app, TrainArguments& arguments);

/// Weights of classes and samples, and which class is the positive one.
void add_weighting(CLI::App& app, TrainArguments& arguments);

/// What the kernels, the problem and the solver are.
void add_learning_options(CLI::App& app, TrainArguments& arguments);

/// These, and where the model goes.
void add_train_options(CLI::App& app, TrainArguments& arguments);

/// \throws ParameterError for whatever can be refused before a file is read
[[nodiscard]] TrainOptions train_options(const TrainArguments& arguments);

/// \throws ParameterError: --trace is for many classes, labels or targets
[[noreturn]] void refuse_trace_of_one();

}  // namespace kernmix::cli
