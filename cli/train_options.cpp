#include "train_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "command.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/solve.hpp"
#include "values.hpp"

namespace kernmix::cli {
namespace {

void add_problem_options(CLI::App& app, TrainArguments& a) {
  OptionGroup kernels(app, "Kernels");
  add_kernel_choice(kernels, a);
  kernels.value(
      "--normalize", a.normalize, "RULE",
      "Of kernels that do not say their own: variance, trace, unit-trace, cosine, center, "
      "none, or several joined by + [default: variance; trace with one-class and with "
      "--bias none or penalised]");
  kernels.values("--scale", a.scale, "[VIEW=]RULE",
                 "How the columns of all views or of one are scaled: auto, standard, minmax, "
                 "common, sqrt, sqrt+standard or none; auto chooses by the numbers of each view; "
                 "may be repeated "
                 "[default: auto]");
  kernels.toggle("--assume-psd", a.assume_psd,
                 "Do not test given matrices, and other kernels that may be indefinite, for being "
                 "positive semidefinite: the certificate then holds if they are");
  OptionGroup problem(app, "Problem");
  problem.value("--regularizer", a.regularizer, "REG",
                "What kernel weights are allowed, for example l1, lp:p=2 or average; see kernmix "
                "list regularizers");
  problem.value("--loss", a.loss, "LOSS",
                "For example hinge for two classes or squared for numbers; see kernmix list "
                "losses");
  problem.value(
      "-C,--cost", a.C, "NUMBER",
      "Weight of the loss, from 1e-50 to 1e50; losses with a nu do without [default: 10 for "
      "classes and labels, else 1]");
  problem.value("--bias", a.bias, "RULE",
                "Of the bias b: free, none (b = 0) or penalised (1/2 b^2 is added)");
  add_weighting(problem, a);
}

void add_task_options(CLI::App& app, TrainArguments& a) {
  OptionGroup tasks(app, "Many classes, labels or targets");
  tasks.value("--multiclass", a.multiclass, "SCHEME",
              "one-vs-rest, one-vs-one, or joint: one problem of all classes [default: one-vs-rest "
              "where there are more than two classes]");
  tasks.value("--sharing", a.sharing, "FORM",
              "What kernel weights the tasks have: sum (shared, all tasks alike), minimax (shared, "
              "for the task with the largest objective), separate (each its own) [default: sum]");
  tasks.value("--threshold-folds", a.threshold_folds, "N",
              "Of --labels: choose the threshold of each label for the largest F1 on samples that "
              "models of N folds were not trained on; 0: all thresholds are 0");
  OptionGroup probabilities(app, "Probabilities of classes and labels");
  probabilities.value(
      "--calibrate", a.calibrate, "METHOD",
      "Fit probabilities to decision values of samples that models were not trained "
      "on: platt, isotonic (for a thousand samples or more), beta or none; labels "
      "then follow from them");
  probabilities.value("--calibration-folds", a.calibration_folds, "K",
                      "Train so many models more, each without one of K parts of the samples");
}

void add_solver_options(CLI::App& app, TrainArguments& a) {
  OptionGroup solver(app, "Solver");
  solver.value("--solver", a.solver, "SOLVER",
               "auto, or a solver that takes regularizer and loss; see kernmix list solvers");
  solver.value("--tolerance", a.tolerance, "NUMBER",
               "Stop at this relative duality gap, between 0 and 1");
  solver.value("--max-iterations", a.max_iterations, "N", "Outer iterations at most");
  OptionGroup(app, "For developers")
      .values("--without", a.without, "NAME",
              "Solve without this strategy of newton, to see what it is worth; see kernmix list "
              "strategies");
}

/// Options that speak of classes, where the loss learns from something else.
void refuse_classes(const TrainArguments& a, const Loss& loss) {
  if (loss_target(loss) == Target::classes) return;
  const std::string rule = fmt::format("needs a loss of two classes, {} is none", loss_text(loss));
  if (!a.class_weights.empty()) {
    throw ParameterError(fmt::format("--class-weight {}; give --sample-weight", rule));
  }
  if (!a.positive.empty()) throw ParameterError(fmt::format("--positive {}", rule));
}

/// Targets are numbers, of which there are no classes.
void check_targets(const TrainArguments& a, const Loss& loss) {
  if (a.data.targets.empty()) return;
  if (loss_target(loss) != Target::numbers) {
    throw ParameterError(fmt::format(
        "--targets needs a loss of numbers such as --loss squared, {} is none", loss_text(loss)));
  }
  if (!a.multiclass.empty()) {
    throw ParameterError("--multiclass is for classes, --targets names numbers: leave it out");
  }
}

void check_calibration(const Loss& loss, const TrainOptions& options) {
  if (options.calibration == CalibrationMethod::none) return;
  if (loss_target(loss) != Target::classes) {
    throw ParameterError(fmt::format(
        "--calibrate gives probabilities of classes and labels, --loss {} learns neither: leave it "
        "out",
        loss_text(loss)));
  }
  if (options.threshold_folds != 0) {
    throw ParameterError(
        "--threshold-folds and --calibrate decide labels differently, by the largest F1 and by the "
        "probability 0.5: choose one of them");
  }
}

/// What a trace needs, as far as that is known before a file is read.
void check_trace(const TrainArguments& a, const Loss& loss) {
  if (a.trace.empty()) return;
  if (loss_target(loss) != Target::classes && a.data.targets.empty()) refuse_trace_of_one();
  if (a.sharing == "separate") {
    throw ParameterError(
        "--trace follows weights that all tasks share; with --sharing separate they are trained "
        "one after the other");
  }
  if (!a.data.grams.empty() || !a.data.distances.empty()) {
    throw ParameterError(
        "--trace evaluates on samples with columns, --gram and --distance give matrices; leave it "
        "out and use kernmix evaluate");
  }
  if (a.common.json.empty()) {
    throw ParameterError("--trace is written to the file of --json, which is missing");
  }
}

/// Before any file is read; whether there are many tasks may not be known yet.
void check_solvers(const TrainArguments& a, const Loss& loss, const Regularizer& regularizer,
                   const TrainOptions& options) {
  const bool many = !a.data.labels.empty() || !a.data.targets.empty() || !a.multiclass.empty() ||
                    !a.sharing.empty();
  const bool joint = options.scheme ? options.scheme == TaskScheme::joint : joins_classes(loss);
  if (joint) return check_joint_options(options);
  const std::vector<std::string> shared = solver_names(Coupling::sum);
  const bool named = std::find(shared.begin(), shared.end(), a.solver) != shared.end();
  if (a.sharing == "separate" || (!many && !named)) {
    check_solver({loss, regularizer, options.bias}, options.solver);
  } else if (many) {
    if (!a.sharing.empty() && a.sharing != "sum" && a.sharing != "minimax") {
      throw ParameterError(
          fmt::format("--sharing must be sum, minimax or separate, got '{}'", a.sharing));
    }
    const Coupling sharing = a.sharing.empty() ? Coupling::sum : parse_coupling(a.sharing);
    check_solver({loss, regularizer, options.bias, sharing}, options.solver);
  }
}

/// Views that the options name are known before a file is read.
ScalingChoice scaling_of(const TrainArguments& a) {
  std::vector<std::string> views;
  for (const std::string& view : a.views) views.push_back(view.substr(0, view.find('=')));
  try {
    const ScalingChoice choice = parse_scaling(a.scale);
    if (!views.empty()) check_scaling_views(choice, views);
    return choice;
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("--scale: {}", error.what()));
  }
}

/// Whether --class-weight is balanced. \throws ParameterError where it comes with other weights
bool balanced_classes(const TrainArguments& a) {
  const bool balanced = std::find(a.class_weights.begin(), a.class_weights.end(), "balanced") !=
                        a.class_weights.end();
  if (balanced && a.class_weights.size() > 1) {
    throw ParameterError("--class-weight: balanced cannot be combined with other weights");
  }
  return balanced;
}

/// --class-weight LABEL=W. \throws ParameterError for a class that is given twice
std::map<std::string, double> given_class_weights(const TrainArguments& a) {
  std::map<std::string, double> weights;
  for (const std::string& text : a.class_weights) {
    const auto [label, weight] = assignment("--class-weight", text);
    if (!weights.emplace(label, positive_number("--class-weight " + label, weight)).second) {
      throw ParameterError(
          fmt::format("--class-weight: class {} was given twice", kernmix::in_quotes(label)));
    }
  }
  return weights;
}

}  // namespace

void refuse_trace_of_one() {
  throw ParameterError(
      "--trace follows the training of many classes, labels or targets; this is a model of one "
      "task, leave it out");
}

void add_kernel_choice(OptionGroup& kernels, TrainArguments& a) {
  kernels.values("--view", a.views, "NAME=COLUMNS",
                 "A view: a comma list of column names, globs (mean_*), positions or ranges (3-12, "
                 "first..last); may be repeated [default: one view of all columns, or one per "
                 "file]");
  kernels.values("--kernel", a.kernels, "EXPR",
                 fmt::format("Base kernels, for example 'rbf(width=median*2^-1..2^1) on color, "
                             "each'; may be repeated [default: {} on every view, for numbers {}, "
                             "beside cosines of sparse views; precomputed on every Gram matrix]",
                             default_kernels, default_kernels_of_numbers));
}

void add_weighting(OptionGroup& problem, TrainArguments& a) {
  problem.values("--class-weight", a.class_weights, "LABEL=W",
                 "Factor of C for one class, or balanced: n / (2 n_class); may be repeated");
  problem.value(
      "--sample-weight", a.sample_weight, "COL",
      "Column with how often each sample counts, >= 0: 2 is the sample twice, 0 leaves it "
      "out");
  problem.value("--positive", a.positive, "LABEL",
                "The positive class of two [default: the larger label]");
}

void add_learning_options(CLI::App& app, TrainArguments& arguments) {
  add_problem_options(app, arguments);
  add_task_options(app, arguments);
  add_solver_options(app, arguments);
}

void add_train_options(CLI::App& app, TrainArguments& arguments) {
  add_learning_options(app, arguments);
  OptionGroup(app, "Probabilities of classes and labels")
      .value("--groups", arguments.groups, "COL",
             "Group column: samples of a group (a patient, a batch) stay in the same fold of "
             "--calibrate and --threshold-folds");
  OptionGroup results(app, "Results");
  results.value("-o,--output", arguments.output, "MODEL.kmx", "Model file to write (required)");
  results.value("--trace", arguments.trace, "DATA",
                "Of many classes, labels or targets: labelled samples on which to evaluate the "
                "models of some fifty moments of training when it is done: into --json, for "
                "kernmix report");
}

TrainOptions train_options(const TrainArguments& a) {
  const Loss loss = parse_loss(a.loss);
  const Regularizer regularizer = parse_regularizer(a.regularizer);
  check_targets(a, loss);
  check_trace(a, loss);
  TrainOptions options;
  options.kernels = a.kernels;
  options.regularizer = regularizer_text(regularizer);
  options.loss = loss_text(loss);
  if (!a.C.empty()) options.C = number_in_range("-C", a.C);
  options.bias = parse_bias(a.bias);
  options.positive = a.positive;
  options.scaling = scaling_of(a);
  options.normalization = parse_normalization_choice(a.normalize);
  options.assume_psd = a.assume_psd;
  options.solver.solver = a.solver;
  options.solver.tolerance = positive_number("--tolerance", a.tolerance);
  options.solver.max_iterations = whole_number("--max-iterations", a.max_iterations, 1);
  options.solver.without = a.without;
  if (!a.sharing.empty()) {
    if (loss_target(loss) == Target::classes) options.scheme = TaskScheme::one_vs_rest;
    options.coupling = a.sharing;
  }
  if (!a.multiclass.empty()) options.scheme = parse_scheme(a.multiclass);
  options.threshold_folds = whole_number("--threshold-folds", a.threshold_folds, 0);
  options.calibration = parse_calibration(a.calibrate);
  options.calibration_folds = whole_number("--calibration-folds", a.calibration_folds, 2);
  check_calibration(loss, options);
  check_solvers(a, loss, regularizer, options);
  static_cast<void>(loss_weight(loss, cost_of(options), 1));
  refuse_classes(a, loss);
  return options;
}

void set_class_weights(const TrainArguments& a, TrainOptions& options) {
  options.balanced_classes = balanced_classes(a);
  options.class_weights =
      options.balanced_classes ? std::map<std::string, double>() : given_class_weights(a);
}

}  // namespace kernmix::cli
