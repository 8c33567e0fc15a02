#include "train_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/arguments.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/solve.hpp"

namespace kernmix::cli {
namespace {

/// Rejects options about classes for losses without classes.
void refuse_classes(const TrainArguments& a, const Loss& loss) {
  if (loss_target(loss) == Target::classes) return;
  const std::string rule = fmt::format("needs a loss of two classes, not {}", loss_text(loss));
  if (a.settings.contains("class_weights")) {
    throw ParameterError(fmt::format("--class-weight {}; give --sample-weight", rule));
  }
  if (a.settings.contains("positive")) throw ParameterError(fmt::format("--positive {}", rule));
}

/// Checks options with --targets, which are numbers and have no classes.
void check_targets(const TrainArguments& a, const Loss& loss) {
  if (a.data.targets.empty()) return;
  if (loss_target(loss) != Target::numbers) {
    throw ParameterError(fmt::format(
        "--targets needs a loss for numbers such as --loss squared, not {}", loss_text(loss)));
  }
  if (a.settings.contains("scheme")) {
    throw ParameterError("--multiclass is for classes, --targets names numbers: leave it out");
  }
}

void check_calibration(const Loss& loss, const TrainOptions& options) {
  if (options.calibration == CalibrationMethod::none) return;
  if (loss_target(loss) != Target::classes) {
    throw ParameterError(
        fmt::format("--calibrate gives probabilities of classes and labels, which --loss {} does "
                    "not learn: leave it out",
                    loss_text(loss)));
  }
  if (options.threshold_folds != 0) {
    throw ParameterError(
        "--threshold-folds and --calibrate decide labels differently, by the largest F1 and by the "
        "probability 0.5: choose one of them");
  }
}

/// Checks the requirements of a trace that are known before a file is read.
void check_trace(const TrainArguments& a, const TrainOptions& options) {
  if (a.trace.empty()) return;
  const bool classes = loss_target(options.loss) == Target::classes;
  if (!classes && a.data.targets.empty()) refuse_trace_of_one();
  if (options.coupling == "separate") {
    throw ParameterError(
        "--trace needs shared weights; with --sharing separate tasks are trained one after the "
        "other");
  }
  if (!a.data.grams.empty() || !a.data.distances.empty()) {
    throw ParameterError(
        "--trace evaluates samples with columns and does not support --gram and --distance; leave "
        "it out and use kernmix evaluate");
  }
  if (a.common.json.empty()) {
    throw ParameterError("--trace needs --json FILE, to which it is written");
  }
}

/// Checks before any file is read; the number of tasks may not be known yet.
void check_solvers(const TrainArguments& a, const TrainOptions& options) {
  const bool many = !a.data.labels.empty() || !a.data.targets.empty() ||
                    a.settings.contains("scheme") || a.settings.contains("coupling");
  const bool joint =
      options.scheme ? options.scheme == TaskScheme::joint : joins_classes(options.loss);
  if (joint) return check_joint_options(options);
  const std::string solver = name_of(options.solver.solver);
  const auto is_of = [&](Coupling coupling) {
    const std::vector<std::string> names = solver_names(coupling);
    return std::find(names.begin(), names.end(), solver) != names.end();
  };
  const bool named = is_of(Coupling::sum) && !is_of(Coupling::separate);
  const bool separate = options.coupling == "separate";
  if (separate || (!many && !named)) {
    check_solver({options.loss, options.regularizer, options.bias}, options.solver);
  } else if (many) {
    const Coupling sharing = parse_coupling(options.coupling);
    check_solver({options.loss, options.regularizer, options.bias, sharing}, options.solver);
  }
}

/// Views from options are known before a file is read.
void check_scaled_views(const TrainArguments& a, const TrainOptions& options) {
  std::vector<std::string> views;
  for (const std::string& view : a.views) views.push_back(view.substr(0, view.find('=')));
  if (views.empty() || !a.data.sets.empty()) return;
  try {
    check_scaling_views(options.scaling, views);
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("--scale: {}", error.what()));
  }
}

/// Settings are shown under their own headings, in the order of fields().
void add_setting(CLI::App& app, const Field& field, TrainArguments& a) {
  OptionGroup(app, field.heading).setting(field, a.settings);
}

}  // namespace

void refuse_trace_of_one() {
  throw ParameterError(
      "--trace is for several classes, labels or targets; this is a model of one task, leave it "
      "out");
}

void add_kernel_choice(CLI::App& app, TrainArguments& a) {
  const Field& kernels = field_named("kernels");
  OptionGroup(app, kernels.heading)
      .values(
          "--view", a.views, "NAME=COLUMNS",
          "A view, that is, a named group of columns with kernels of its own: names, globs "
          "(mean_*), ranges (first..last), or positions (3-12; 1 is the first column that is "
          "no id, no label and not ignored), separated by commas; may be repeated [default: one "
          "view for each file]");
  OptionGroup views(app, kernels.heading);
  add_sets_option(views, a.data);
  add_setting(app, kernels, a);
}

void add_weighting(CLI::App& app, TrainArguments& a) {
  const Field& weights = field_named("class_weights");
  add_setting(app, weights, a);
  OptionGroup(app, weights.heading)
      .value("--sample-weight", a.sample_weight, "COL",
             "Column with sample weights >= 0: a sample of weight 2 counts twice, one of weight 0 "
             "is omitted");
  add_setting(app, field_named("positive"), a);
}

void add_learning_options(CLI::App& app, TrainArguments& a) {
  for (const Field& field : fields()) {
    if (field.name == "kernels") {
      add_kernel_choice(app, a);
    } else if (field.name == "class_weights") {
      add_weighting(app, a);
    } else if (field.name != "positive") {  // which add_weighting() adds
      add_setting(app, field, a);
    }
  }
}

void add_train_options(CLI::App& app, TrainArguments& arguments) {
  add_learning_options(app, arguments);
  OptionGroup(app, field_named("calibration").heading)
      .value("--groups", arguments.groups, "COL",
             "Group column: samples of a group (a patient, a batch) stay in the same fold of "
             "--calibrate and --threshold-folds");
  OptionGroup results(app, "Results");
  results.value("-o,--output", arguments.output, writes("MODEL.kmx"),
                "Model file to write (required)");
  results.value(
      "--trace", arguments.trace, reads_table("DATA"),
      "File of labelled test samples with the columns of DATA. During training about fifty "
      "intermediate models are evaluated on them, and the scores are written to --json (required), "
      "for kernmix report. Only for more than two classes, several labels or several targets with "
      "common kernel weights, and without --gram and --distance");
}

TrainOptions train_options(const TrainArguments& a) {
  TrainOptions options = options_of(a.settings);
  const bool of_classes = loss_target(options.loss) == Target::classes;
  if (a.settings.contains("coupling") && !options.scheme && of_classes) {
    options.scheme = TaskScheme::one_vs_rest;
  }
  check_targets(a, options.loss);
  check_trace(a, options);
  check_scaled_views(a, options);
  check_calibration(options.loss, options);
  check_solvers(a, options);
  static_cast<void>(loss_weight(options.loss, cost_of(options), 1));
  refuse_classes(a, options.loss);
  return options;
}

}  // namespace kernmix::cli
