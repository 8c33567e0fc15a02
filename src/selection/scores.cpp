// The metrics of kernmix/metrics.hpp for the target of the model.

#include "kernmix/selection/scores.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/text.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

void append_averages(const std::vector<ClasswiseMetric>& classwise, std::vector<Metric>& metrics) {
  for (const ClasswiseMetric& metric : classwise) {
    metrics.push_back({"micro_" + metric.name, metric.average.micro, {}, {}});
    metrics.push_back({"macro_" + metric.name, metric.average.macro, {}, {}});
    metrics.push_back({"weighted_" + metric.name, metric.average.weighted, {}, {}});
  }
}

/// Appends "log_loss", "brier_score", ... if there are probabilities.
void append(const std::vector<Metric>& more, std::vector<Metric>& metrics) {
  metrics.insert(metrics.end(), more.begin(), more.end());
}

std::vector<Metric> of_two_classes(const TaskTargets& truth, const Prediction& prediction,
                                   ConstSpan weights) {
  const Vector& y = truth.values.values;
  std::vector<Metric> metrics =
      evaluate(y, prediction.decision.values, signs_of_labels(prediction), weights).metrics;
  if (prediction.probability.rows > 0) {
    append(evaluate_probabilities(y, prediction.probability.values, weights).metrics, metrics);
  }
  return metrics;
}

std::vector<Metric> of_classes(const Model& model, const TaskTargets& truth,
                               const Prediction& prediction, ConstSpan weights) {
  std::vector<Index> classes;
  for (Index i = 0; i < truth.samples(); ++i) classes.push_back(truth.class_of(i));
  MulticlassEvaluation result =
      evaluate_classes(model.names, classes, prediction.winner, prediction.decision, weights);
  if (prediction.probability.rows > 0) {
    append(evaluate_class_probabilities(classes, prediction.probability, weights).metrics,
           result.metrics);
  }
  append_averages(result.classwise, result.metrics);
  return std::move(result.metrics);
}

std::vector<Metric> of_labels(const Model& model, const TaskTargets& truth,
                              const Prediction& prediction, ConstSpan weights) {
  MultiLabels labels{model.names, {}};
  for (const double sign : truth.values.values) labels.values.push_back(sign > 0.0 ? 1 : 0);
  MultilabelEvaluation result =
      evaluate_labels(labels, prediction.decision, prediction.has_label, weights);
  if (prediction.probability.rows > 0) {
    const auto more = label_probability_metrics(labels, prediction.probability, weights);
    result.classwise.insert(result.classwise.end(), more.begin(), more.end());
  }
  append_averages(result.classwise, result.metrics);
  return std::move(result.metrics);
}

std::vector<Metric> of_targets(const Loss& loss, const TaskTargets& truth,
                               const Prediction& prediction, ConstSpan weights) {
  std::vector<Metric> means;
  for (const ClasswiseMetric& metric :
       evaluate_targets(loss, truth.values, prediction.decision, weights)) {
    means.push_back({"mean_" + metric.name, metric.average.macro, {}, {}});
  }
  return means;
}

/// Comparison with labels that determine the inliers.
std::vector<Metric> of_novelties(const Table& table, const Prediction& prediction,
                                 ConstSpan weights) {
  std::vector<Metric> metrics = {outlier_fraction(prediction.decision.values, weights)};
  const std::string inlier = inlier_of(table);
  if (inlier.empty()) return metrics;
  Vector y;
  for (const std::string& label : table.labels) y.push_back(same_label(label, inlier) ? 1.0 : -1.0);
  for (const Metric& metric :
       evaluate(y, prediction.decision.values, signs_of_labels(prediction), weights).metrics) {
    if (metric.name == "auc" || metric.name == "balanced_accuracy") metrics.push_back(metric);
  }
  return metrics;
}

struct Kind {
  std::string_view name;
  bool larger_is_better;
  double best;
};

/// Metrics of classifiers, of labels, and of regression.
constexpr std::array kKinds = {
    Kind{"accuracy", true, 1.0},
    Kind{"balanced_accuracy", true, 1.0},
    Kind{"auc", true, 1.0},
    Kind{"average_precision", true, 1.0},
    Kind{"average_precision_11_point", true, 1.0},
    Kind{"average_precision_interpolated", true, 1.0},
    Kind{"auc_pr", true, 1.0},
    Kind{"f1", true, 1.0},
    Kind{"precision", true, 1.0},
    Kind{"recall", true, 1.0},
    Kind{"specificity", true, 1.0},
    Kind{"subset_accuracy", true, 1.0},
    Kind{"label_ranking_average_precision", true, 1.0},
    Kind{"hamming_loss", false, 0.0},
    Kind{"ranking_loss", false, 0.0},
    Kind{"coverage_error", false, 0.0},
    Kind{"r2", true, 1.0},
    Kind{"rmse", false, 0.0},
    Kind{"mse", false, 0.0},
    Kind{"mae", false, 0.0},
    Kind{"log_loss", false, 0.0},
    Kind{"brier_score", false, 0.0},
    Kind{"expected_calibration_error", false, 0.0},
};

/// Names in other programs.
constexpr std::array kOtherScores = {
    OtherName{"acc", "accuracy"},
    OtherName{"accuracyscore", "accuracy"},
    OtherName{"rocauc", "auc"},
    OtherName{"auroc", "auc"},
    OtherName{"aucroc", "auc"},
    OtherName{"ap", "average_precision"},
    OtherName{"map", "macro_average_precision"},
    OtherName{"bacc", "balanced_accuracy"},
    OtherName{"prauc", "auc_pr"},
    OtherName{"auprc", "average_precision"},
    OtherName{"f1score", "f1"},
    OtherName{"sensitivity", "recall"},
    OtherName{"tpr", "recall"},
    OtherName{"tnr", "specificity"},
    OtherName{"ppv", "precision"},
    OtherName{"r2score", "r2"},
    OtherName{"rsquared", "r2"},
    OtherName{"logloss", "log_loss"},
    OtherName{"neglogloss", "log_loss"},
    OtherName{"crossentropy", "log_loss"},
    OtherName{"brier", "brier_score"},
    OtherName{"brierscoreloss", "brier_score"},
    OtherName{"ece", "expected_calibration_error"},
    OtherName{"meansquarederror", "mse"},
    OtherName{"negmeansquarederror", "mse"},
    OtherName{"rootmeansquarederror", "rmse"},
    OtherName{"negrootmeansquarederror", "rmse"},
    OtherName{"meanabsoluteerror", "mae"},
    OtherName{"negmeanabsoluteerror", "mae"},
};

std::string_view without_average(std::string_view name) {
  for (const std::string_view prefix : {"micro_", "macro_", "weighted_", "mean_"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

}  // namespace

Vector signs_of_labels(const Prediction& prediction) {
  Vector signs;
  for (const Index winner : prediction.winner) signs.push_back(winner == 1 ? 1.0 : -1.0);
  return signs;
}

std::vector<Metric> scores(const Model& model, const Table& truth, const Prediction& prediction,
                           ConstSpan weights) {
  if (model.target == Target::none) return of_novelties(truth, prediction, weights);
  const TaskTargets targets =
      encode_targets(model.scheme, model.target, model.names, truth, prediction.decision.rows);
  if (model.of_labels()) return of_labels(model, targets, prediction, weights);
  const Loss loss = model.settings.loss;
  if (model.of_targets()) return of_targets(loss, targets, prediction, weights);
  if (!model.single()) return of_classes(model, targets, prediction, weights);
  if (model.target == Target::numbers) {
    return evaluate_numbers(loss, targets.values.values, prediction.decision.values, weights);
  }
  return of_two_classes(targets, prediction, weights);
}

std::optional<double> score_called(const std::vector<Metric>& metrics, const std::string& name) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
    names.push_back(metric.name);
  }
  throw ParameterError(fmt::format("the model has no score {}{}; its scores are {}",
                                   in_quotes(name), did_you_mean(name, names, kOtherScores),
                                   fmt::join(names, ", ")));
}

/// Rounding errors of a mean are about 1e-16 of its size, and shares of n samples averaged over K
/// folds differ by at least 1 / (n K). This grid is between the two, so that equal scores stay
/// equal.
double ScoreRule::comparable(double score) const {
  constexpr int bits = 30;
  const double size = std::max(std::abs(score), std::abs(best));
  if (size == 0.0 || !std::isfinite(size)) return score;
  const int exponent = bits - std::ilogb(size);
  return std::ldexp(std::nearbyint(std::ldexp(score, exponent)), -exponent);
}

double ScoreRule::difference(double left, double right) const {
  return comparable(left) == comparable(right) ? 0.0 : left - right;
}

bool ScoreRule::better(std::optional<double> left, std::optional<double> right) const {
  if (!left || !right) return left.has_value() && !right;
  const double a = comparable(*left);
  const double b = comparable(*right);
  return larger_is_better ? a > b : a < b;
}

ScoreRule score_rule(const std::string& name) {
  const std::string_view plain = without_average(name);
  const auto found = std::ranges::find(kKinds, plain, &Kind::name);
  if (found != kKinds.end()) return {name, found->larger_is_better, found->best};
  if (plain.ends_with("_loss")) return {name, false, 0.0};  // metrics of evaluate_numbers
  std::vector<std::string> known;
  for (const Kind& kind : kKinds) known.emplace_back(kind.name);
  throw ParameterError(fmt::format(
      "score: {} is not a score that selects models{}; there are {}, and with several classes, "
      "labels or targets macro_, micro_, weighted_ or mean_ precedes the name",
      in_quotes(name), did_you_mean(name, known, kOtherScores), fmt::join(known, ", ")));
}

namespace {

/// The comparison of novelty detectors requires known outliers.
void require_outliers(const Table& table) {
  if (!inlier_of(table).empty()) return;
  const std::vector<std::string>& labels = table.labels;
  const bool one = std::ranges::all_of(
      labels, [&](const std::string& label) { return same_label(label, labels.front()); });
  const std::string found =
      labels.empty() ? "there are no labels"
      : one          ? fmt::format("all samples have the label {}", in_quotes(labels.front()))
                     : "the labels have more than two classes";
  throw DataError(
      fmt::format("{}: {}, so the detection of outliers cannot be scored; give samples of both "
                  "kinds, with labels of two classes",
                  table.source, found));
}

}  // namespace

std::string default_score(const Table& table, const TrainOptions& options) {
  const TaskScheme scheme = training_scheme(table, options);
  const Target target = loss_target(options.loss);
  if (target == Target::none) {
    require_outliers(table);
    return "auc";
  }
  if (scheme == TaskScheme::labels) return "macro_average_precision";
  if (scheme == TaskScheme::targets) return "mean_r2";
  return target == Target::numbers ? "r2" : "accuracy";
}

}  // namespace kernmix
