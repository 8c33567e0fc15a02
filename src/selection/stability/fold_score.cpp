#include "selection/stability/fold_score.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

const Names& smaller_is_better() {
  static const Names names = {"rmse",         "mse",          "mae",
                              "mean_rmse",    "mean_mse",     "mean_mae",
                              "hamming_loss", "ranking_loss", "coverage_error"};
  return names;
}

/// Those that every model of the kind has.
Names known_scores(TaskScheme scheme, Target target) {
  if (scheme == TaskScheme::labels) {
    return {"subset_accuracy",
            "hamming_loss",
            "ranking_loss",
            "coverage_error",
            "label_ranking_average_precision",
            "macro_f1",
            "macro_auc",
            "macro_average_precision"};
  }
  if (scheme == TaskScheme::targets) return {"mean_r2", "mean_rmse", "mean_mse", "mean_mae"};
  if (target == Target::numbers) return {"r2", "rmse", "mse", "mae"};
  if (scheme == TaskScheme::single) {
    return {"accuracy", "balanced_accuracy", "auc",    "average_precision",
            "f1",       "precision",         "recall", "specificity"};
  }
  return {"accuracy", "balanced_accuracy", "macro_f1", "macro_auc", "macro_average_precision"};
}

std::string usual_score(TaskScheme scheme, Target target) {
  if (scheme == TaskScheme::labels) return "label_ranking_average_precision";
  if (scheme == TaskScheme::targets) return "mean_r2";
  return target == Target::numbers ? "r2" : "accuracy";
}

void append_averages(const std::vector<ClasswiseMetric>& classwise, const char* prefix,
                     std::vector<Metric>& metrics) {
  for (const ClasswiseMetric& metric : classwise) {
    metrics.push_back({prefix + metric.name, metric.average.macro, {}, {}});
  }
}

std::vector<Metric> metrics_of_labels(const Model& model, const Table& truth,
                                      const Prediction& prediction) {
  Vector thresholds;
  for (const TaskModel& task : model.tasks) thresholds.push_back(task.threshold);
  MultilabelEvaluation result =
      evaluate_labels(truth.multi_labels, prediction.decision, thresholds);
  append_averages(result.classwise, "macro_", result.metrics);
  return result.metrics;
}

std::vector<Metric> metrics_of_numbers(const Model& model, const Table& truth,
                                       const Prediction& prediction) {
  const Loss loss = parse_loss(model.settings.loss);
  if (model.of_targets()) {
    std::vector<Metric> metrics;
    append_averages(evaluate_targets(loss, truth.targets.values, prediction.decision), "mean_",
                    metrics);
    return metrics;
  }
  const Vector y = truth.targets.empty() ? numbers_of(truth.labels) : truth.targets.values.values;
  return evaluate_numbers(loss, y, prediction.decision.values);
}

std::vector<Metric> metrics_of_classes(const Model& model, const Table& truth,
                                       const Prediction& prediction) {
  if (model.single()) {
    const BinaryLabels classes{model.names[0], model.names[1]};
    return evaluate(classes.encode(truth.labels), prediction.decision.values).metrics;
  }
  MulticlassEvaluation result =
      evaluate_classes(model.names, ClassLabels{model.names}.encode(truth.labels),
                       prediction.winner, prediction.decision);
  append_averages(result.classwise, "macro_", result.metrics);
  return result.metrics;
}

}  // namespace

ScoreKind score_kind(const std::string& name, const Dataset& data, const TrainOptions& options) {
  const TaskScheme scheme = training_scheme(data.table, options);
  const Loss loss = parse_loss(options.loss);
  const Target target = loss_target(loss);
  if (target == Target::none) {
    throw ParameterError(
        fmt::format("{} learns without labels: there is no score to test", loss_text(loss)));
  }
  const std::string taken = name.empty() ? usual_score(scheme, target) : name;
  const Names known = known_scores(scheme, target);
  if (!std::ranges::count(known, taken)) {
    throw ParameterError(fmt::format("unknown score {}{}; known here are {}", in_quotes(taken),
                                     did_you_mean(taken, known), fmt::join(known, ", ")));
  }
  return {taken, std::ranges::count(smaller_is_better(), taken) == 0};
}

double score_of(const std::string& name, const Model& model, const Table& truth,
                const Prediction& prediction) {
  const std::vector<Metric> metrics =
      model.of_labels()                 ? metrics_of_labels(model, truth, prediction)
      : model.target == Target::numbers ? metrics_of_numbers(model, truth, prediction)
                                        : metrics_of_classes(model, truth, prediction);
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  if (found != metrics.end() && found->value) return *found->value;
  throw DataError(fmt::format(
      "a fold has no {}: its test samples lack a class, or nothing was predicted positive; choose "
      "another score or fewer folds",
      name));
}

}  // namespace kernmix
