#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/samples.hpp"
#include "base/shape.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "metrics/threshold_steps.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

using RankingMetric = Metric (*)(const ThresholdSteps& steps);

struct NamedRankingMetric {
  const char* name;
  RankingMetric metric;
};

constexpr NamedRankingMetric kRankingMetrics[] = {
    {"auc", auc},
    {"average_precision", average_precision},
    {"average_precision_11_point", average_precision_11_point},
    {"average_precision_interpolated", average_precision_interpolated},
    {"auc_pr", auc_pr},
};

/// Weighted mean of the available values; absent if all their weights are zero.
std::optional<double> mean_value(const std::vector<Metric>& classes, ConstSpan weights) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t t = 0; t < classes.size(); ++t) {
    if (!classes[t].value) continue;
    sum += weights[t] * *classes[t].value;
    total += weights[t];
  }
  if (total == 0.0) return std::nullopt;
  return sum / total;
}

ClasswiseMetric with_averages(std::string name, std::vector<Metric> classes, ConstSpan positives,
                              std::optional<double> micro) {
  const ClassAverage average = {micro, mean_value(classes, Vector(classes.size(), 1.0)),
                                mean_value(classes, positives)};
  return {std::move(name), std::move(classes), average};
}

/// The weight of a sample for each of its labels, row by row.
Vector each_repeated(ConstSpan weights, Index labels) {
  Vector repeated;
  for (const double weight : weights) repeated.insert(repeated.end(), to_size(labels), weight);
  return repeated;
}

double sum_of_positives(ConstSpan y, ConstSpan weights) {
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] > 0.0) sum += weight_at(weights, i);
  }
  return sum;
}

void check_shapes(const Matrix& signs, const Matrix& decision) {
  if (signs.rows == decision.rows && signs.cols == decision.cols && !signs.values.empty()) return;
  throw ParameterError(
      fmt::format("evaluation needs decision values for each of at least one sample and class, got "
                  "{} x {} labels and {} x {} values",
                  signs.rows, signs.cols, decision.rows, decision.cols));
}

}  // namespace

std::vector<ClasswiseMetric> count_metrics(const std::vector<Confusion>& counts) {
  Confusion sum;
  Vector positives;
  for (const Confusion& one : counts) {
    sum.true_positive += one.true_positive;
    sum.false_positive += one.false_positive;
    sum.true_negative += one.true_negative;
    sum.false_negative += one.false_negative;
    positives.push_back(one.true_positive + one.false_negative);
  }
  std::vector<ClasswiseMetric> metrics;
  for (const auto metric : {&precision, &recall, &f1}) {
    std::vector<Metric> classes;
    for (const Confusion& one : counts) classes.push_back(metric(one));
    const Metric micro = metric(sum);
    metrics.push_back(with_averages(micro.name, std::move(classes), positives, micro.value));
  }
  return metrics;
}

std::vector<ClasswiseMetric> ranking_metrics(const Matrix& signs, const Matrix& decision,
                                             ConstSpan weights) {
  check_shapes(signs, decision);
  require_weights(weights, to_size(signs.rows));
  static_cast<void>(confusion(signs.values, decision.values));  // rejects other signs and NaN
  constexpr std::size_t kCount = std::size(kRankingMetrics);
  std::vector<std::vector<Metric>> classes(kCount);
  Vector positives;
  for (Index t = 0; t < signs.cols; ++t) {
    const Vector y = column_of(signs, t);
    const ThresholdSteps steps = threshold_steps(y, column_of(decision, t), weights);
    positives.push_back(steps.back().positives);
    for (std::size_t k = 0; k < kCount; ++k) {
      classes[k].push_back(kRankingMetrics[k].metric(steps));
    }
  }
  const ThresholdSteps of_all =
      threshold_steps(signs.values, decision.values, each_repeated(weights, signs.cols));
  std::vector<ClasswiseMetric> metrics;
  for (std::size_t k = 0; k < kCount; ++k) {
    const auto& [name, metric] = kRankingMetrics[k];
    const Metric micro = metric(of_all);
    metrics.push_back(with_averages(name, std::move(classes[k]), positives, micro.value));
  }
  return metrics;
}

std::vector<ClasswiseMetric> label_probability_metrics(const MultiLabels& truth,
                                                       const Matrix& probability,
                                                       ConstSpan weights) {
  require_shape("probabilities", probability);
  if (probability.cols != length(truth.names)) {
    throw ParameterError(fmt::format("{} labels have {} columns of probabilities",
                                     truth.names.size(), probability.cols));
  }
  std::vector<ClasswiseMetric> all;
  Vector positives;
  for (Index t = 0; t < probability.cols; ++t) {
    const Vector y = truth.signs(t);
    positives.push_back(sum_of_positives(y, weights));
    std::vector<Metric> own = evaluate_probabilities(y, column_of(probability, t), weights).metrics;
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (t == 0) all.push_back({own[k].name, {}, {}});
      all[k].classes.push_back(std::move(own[k]));
    }
  }
  for (ClasswiseMetric& metric : all) {
    metric = with_averages(metric.name, std::move(metric.classes), positives, std::nullopt);
  }
  return all;
}

std::vector<ClasswiseMetric> evaluate_targets(const Loss& loss, const Matrix& y,
                                              const Matrix& prediction, ConstSpan weights) {
  if (y.rows != prediction.rows || y.cols != prediction.cols) {
    throw ParameterError(
        fmt::format("evaluation needs a prediction for each target, got {} x {} "
                    "targets and {} x {} predictions",
                    y.rows, y.cols, prediction.rows, prediction.cols));
  }
  require_shape("targets", y);
  require_shape("predictions", prediction);
  std::vector<ClasswiseMetric> all;
  for (Index t = 0; t < y.cols; ++t) {
    std::vector<Metric> own =
        evaluate_numbers(loss, column_of(y, t), column_of(prediction, t), weights);
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (t == 0) all.push_back({own[k].name, {}, {}});
      all[k].classes.push_back(std::move(own[k]));
    }
  }
  for (ClasswiseMetric& metric : all) {
    metric.average.macro = mean_value(metric.classes, Vector(metric.classes.size(), 1.0));
  }
  return all;
}

}  // namespace kernmix
