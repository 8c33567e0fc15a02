#pragma once
/// \file
/// What kernmix train is asked: its options, and what can be refused before a file is read.

#include <map>
#include <string>
#include <vector>

#include "command.hpp"
#include "kernmix/train.hpp"
#include "options.hpp"

namespace kernmix::cli {

struct TrainArguments {
  CommonArguments common;
  DataArguments data;
  std::vector<std::string> views;
  std::vector<std::string> kernels;
  std::string normalize = "auto";
  std::vector<std::string> scale;
  bool assume_psd = false;
  std::string repair = "none";
  std::string regularizer = "l1";
  std::string loss = "hinge";
  std::string bias = "free";
  std::string C;  ///< empty: by the loss
  std::vector<std::string> class_weights;
  std::string sample_weight;
  std::string positive;
  std::string multiclass;
  std::string sharing;
  std::string threshold_folds = "0";
  std::string calibrate = "none";
  std::string calibration_folds = "5";
  std::string groups;  ///< of train; commands with folds have FoldArguments::groups
  std::string trace;
  std::string solver = "auto";
  std::string tolerance = "1e-3";
  std::string max_iterations = "1000";
  std::vector<std::string> without;
  std::string output;
};

/// Views and base kernels.
void add_kernel_choice(OptionGroup& kernels, TrainArguments& arguments);

/// Weights of classes and samples, and which class is the positive one.
void add_weighting(OptionGroup& problem, TrainArguments& arguments);

/// What the kernels, the problem and the solver are.
void add_learning_options(CLI::App& app, TrainArguments& arguments);

/// These, and where the model goes.
void add_train_options(CLI::App& app, TrainArguments& arguments);

/// \throws ParameterError for whatever can be refused before a file is read
[[nodiscard]] TrainOptions train_options(const TrainArguments& arguments);

/// \throws ParameterError: --trace is for many classes, labels or targets
[[noreturn]] void refuse_trace_of_one();

/// The factors of C for the classes, or that they are balanced.
/// \throws ParameterError where balanced comes with other weights, or a class is given twice
void set_class_weights(const TrainArguments& arguments, TrainOptions& options);

}  // namespace kernmix::cli
