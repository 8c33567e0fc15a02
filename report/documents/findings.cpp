#include "findings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/errors_at.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "json_evaluation.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "kernmix/selection/scores.hpp"
#include "layout.hpp"
#include "metrics_table.hpp"
#include "tasks.hpp"

namespace kernmix::documents {
namespace {

constexpr std::size_t shown_classes = 30;  ///< in tables of the text; the JSON has all
const std::vector<std::string> kOfClasses = {"precision", "recall", "f1", "auc",
                                             "average_precision"};
const std::vector<std::string> kOfTargets = {"r2", "rmse", "mae"};

/// Averages of all metrics: micro and macro if known.
std::string averages_table(const std::vector<ClasswiseMetric>& metrics) {
  std::vector<Row> rows = {{"metric", "micro", "macro", "weighted"}};
  for (const ClasswiseMetric& metric : metrics) {
    rows.push_back({metric.name, metric_cell(metric.average.micro),
                    metric_cell(metric.average.macro), metric_cell(metric.average.weighted)});
  }
  return aligned(rows, true);
}

const ClasswiseMetric* find_metric(const std::vector<ClasswiseMetric>& metrics,
                                   const std::string& name) {
  for (const ClasswiseMetric& metric : metrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

/// A line for each class or label, with the most common metrics.
std::string classes_table(const std::vector<std::string>& names,
                          const std::vector<ClasswiseMetric>& metrics,
                          const std::vector<std::string>& shown) {
  std::vector<Row> rows(1, Row{"name"});
  rows.front().insert(rows.front().end(), shown.begin(), shown.end());
  for (std::size_t k = 0; k < names.size() && k < shown_classes; ++k) {
    Row row = {names[k]};
    for (const std::string& name : shown) {
      const ClasswiseMetric* const metric = find_metric(metrics, name);
      row.push_back(metric == nullptr ? "" : metric_cell(metric->classes[k].value));
    }
    rows.push_back(row);
  }
  const std::string rest =
      names.size() > shown_classes
          ? fmt::format("... and {} more, see --json\n", names.size() - shown_classes)
          : "";
  return aligned(rows, true) + rest;
}

/// A number of samples, or a sum of their weights.
std::string count_text(double count) {
  return std::floor(count) == count ? fmt::format("{:.0f}", count) : fmt::format("{:.2f}", count);
}

/// "60 samples", or "60 samples that count as 83.5"
std::string samples_text(Index samples, ConstSpan weights) {
  const std::string count = fmt::format("{} sample{}", samples, samples == 1 ? "" : "s");
  if (weights.empty()) return count;
  return fmt::format("{} that count{} as {}", count, samples == 1 ? "s" : "",
                     count_text(std::accumulate(weights.begin(), weights.end(), 0.0)));
}

std::string confusion_rows(const ConfusionMatrix& counts) {
  if (counts.names.size() > shown_classes) return "";
  std::vector<Row> rows(1, Row{"true \\ predicted"});
  rows.front().insert(rows.front().end(), counts.names.begin(), counts.names.end());
  for (Index truth = 0; truth < length(counts.names); ++truth) {
    Row row = {counts.names[to_size(truth)]};
    for (Index k = 0; k < length(counts.names); ++k) {
      row.push_back(count_text(counts(truth, k)));
    }
    rows.push_back(row);
  }
  return "\n" + aligned(rows, true);
}

Json classwise_json(const std::vector<ClasswiseMetric>& metrics) {
  Json list = Json::array();
  for (const ClasswiseMetric& metric : metrics) {
    list.push_back({{"name", metric.name},
                    {"micro", json_number(metric.average.micro)},
                    {"macro", json_number(metric.average.macro)},
                    {"weighted", json_number(metric.average.weighted)},
                    {"values", metrics_json(metric.classes)}});
  }
  return list;
}

/// One row of counts for each true class.
Json confusion_matrix_json(const ConfusionMatrix& counts) {
  Json rows = Json::array();
  for (Index truth = 0; truth < length(counts.names); ++truth) {
    Json row = Json::array();
    for (Index k = 0; k < length(counts.names); ++k) row.push_back(count_json(counts(truth, k)));
    rows.push_back(std::move(row));
  }
  return rows;
}

void require_labels(const Table& table) {
  if (!table.labels.empty()) return;
  throw ParameterError("--label is missing: name the column with the true labels");
}

/// Adds results about probabilities to metrics and JSON.
void add_probabilities(const ProbabilityEvaluation& found, std::vector<Metric>& metrics,
                       Json& document) {
  metrics.insert(metrics.end(), found.metrics.begin(), found.metrics.end());
  document["reliability"] = reliability_json(found.reliability);
}

/// Joins the parts of a JSON object.
Json joined(Json first, const Json& more) {
  first.update(more);
  return first;
}

Findings evaluate_of_classes(const Model& model, const Table& table, const Prediction& prediction,
                             ConstSpan weights) {
  require_labels(table);
  const auto truth =
      errors_at(table.source, [&] { return ClassLabels{model.names}.encode(table.labels); });
  MulticlassEvaluation result =
      evaluate_classes(model.names, truth, prediction.winner, prediction.decision, weights);
  Json more = Json::object();
  if (prediction.probability.rows > 0) {
    add_probabilities(evaluate_class_probabilities(truth, prediction.probability, weights),
                      result.metrics, more);
  }
  return {fmt::format("{}\n\n{}\n{}\n{}{}", samples_text(result.samples, weights),
                      metrics_table(result.metrics), averages_table(result.classwise),
                      classes_table(model.names, result.classwise, kOfClasses),
                      confusion_rows(result.confusion)),
          joined({{"n_samples", result.samples},
                  {"metrics", metrics_json(result.metrics)},
                  {"classwise", classwise_json(result.classwise)},
                  {"confusion", confusion_matrix_json(result.confusion)},
                  {"values", {{"true_class", truth}, {"predicted_class", prediction.winner}}}},
                 more)};
}

Findings evaluate_of_labels(const Model& model, const Table& table, const Prediction& prediction,
                            ConstSpan weights) {
  const MultiLabels truth = labels_in_order(model.names, table);
  MultilabelEvaluation result =
      evaluate_labels(truth, prediction.decision, prediction.has_label, weights);
  if (prediction.probability.rows > 0) {
    const auto more = label_probability_metrics(truth, prediction.probability, weights);
    result.classwise.insert(result.classwise.end(), more.begin(), more.end());
  }
  Json counts = Json::array();
  for (const Confusion& label : result.counts) counts.push_back(confusion_json(label));
  return {fmt::format("{}\n\n{}\n{}\n{}", samples_text(result.samples, weights),
                      metrics_table(result.metrics), averages_table(result.classwise),
                      classes_table(model.names, result.classwise, kOfClasses)),
          {{"n_samples", result.samples},
           {"metrics", metrics_json(result.metrics)},
           {"classwise", classwise_json(result.classwise)},
           {"confusion", std::move(counts)}}};
}

Findings evaluate_several_targets(const Model& model, const Table& table,
                                  const Prediction& prediction, ConstSpan weights) {
  const Matrix y = targets_in_order(model.names, table);
  const std::vector<ClasswiseMetric> metrics =
      evaluate_targets(model.settings.loss, y, prediction.decision, weights);
  std::vector<Metric> means;
  for (const ClasswiseMetric& metric : metrics) {
    means.push_back({"mean_" + metric.name, metric.average.macro, {}, {}});
  }
  return {fmt::format("{}, {} targets\n\n{}\n{}", samples_text(y.rows, weights), y.cols,
                      metrics_table(means), classes_table(model.names, metrics, kOfTargets)),
          {{"n_samples", y.rows},
           {"metrics", metrics_json(means)},
           {"classwise", classwise_json(metrics)}}};
}

/// \param truth names of the classes in the data; \param outcome names of the predictions
std::string confusion_table(const Confusion& counts, const BinaryLabels& truth,
                            const BinaryLabels& outcome) {
  const auto& count = count_text;
  return aligned(
      {{"", "predicted " + outcome.negative, "predicted " + outcome.positive},
       {"true " + truth.negative, count(counts.true_negative), count(counts.false_positive)},
       {"true " + truth.positive, count(counts.false_negative), count(counts.true_positive)}},
      true);
}

Json booleans_of_signs(ConstSpan signs) {
  Json list = Json::array();
  for (const double sign : signs) list.push_back(sign > 0.0);
  return list;
}

/// Effective numbers of samples of each class, for intervals.
Json effective_json(ConstSpan y, ConstSpan weights) {
  const auto worth = [&](double sign) {
    Vector own;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == sign) own.push_back(weights[i]);
    }
    return own.empty() ? 0.0 : effective_size(own);
  };
  return {{"positive", worth(1.0)}, {"negative", worth(-1.0)}};
}

/// The input of paired tests of two models on the same samples.
Json values_of_two_classes(ConstSpan y, ConstSpan predicted, const Vector& decision) {
  return {{"positive", booleans_of_signs(y)},
          {"predicted_positive", booleans_of_signs(predicted)},
          {"decision", decision}};
}

Findings evaluate_two_classes(const Model& model, const Table& table, const Prediction& prediction,
                              ConstSpan weights) {
  require_labels(table);
  const BinaryLabels classes{model.names[0], model.names[1]};
  const Vector y = errors_at(table.source, [&] { return classes.encode(table.labels); });
  const Vector predicted = signs_of_labels(prediction);
  Evaluation result = evaluate(y, prediction.decision.values, predicted, weights);
  Json more = Json::object();
  if (!weights.empty()) more["effective"] = effective_json(y, weights);
  const double positives = result.confusion.true_positive + result.confusion.false_negative;
  if (prediction.probability.rows > 0) {
    add_probabilities(evaluate_probabilities(y, prediction.probability.values, weights),
                      result.metrics, more);
  }
  return {fmt::format("{}, {} of them {}, the positive class\n\n{}\n{}",
                      samples_text(result.samples, weights), count_text(positives),
                      classes.positive, metrics_table(result.metrics),
                      confusion_table(result.confusion, classes, classes)),
          joined({{"n_samples", result.samples},
                  {"n_positive", result.positives},
                  {"metrics", metrics_json(result.metrics)},
                  {"confusion", confusion_json(result.confusion)},
                  {"roc", roc_json(result.roc)},
                  {"values", values_of_two_classes(y, predicted, prediction.decision.values)}},
                 more)};
}

Findings evaluate_regression(const Model& model, const Table& table, const Prediction& prediction,
                             ConstSpan weights) {
  const bool given = table.targets.values.cols == 1;
  if (!given) require_labels(table);
  const Vector y = given ? table.targets.values.values
                         : errors_at(table.source, [&] { return numbers_of(table.labels); });
  const auto metrics =
      evaluate_numbers(model.settings.loss, y, prediction.decision.values, weights);
  return {fmt::format("{}\n\n{}", samples_text(length(y), weights), metrics_table(metrics)),
          {{"n_samples", y.size()},
           {"metrics", metrics_json(metrics)},
           {"values", {{"true", y}, {"predicted", prediction.decision.values}}}}};
}

/// The part of the JSON that needs labels.
void add_comparison(const BinaryLabels& classes, ConstSpan y, const Evaluation& comparison,
                    Json& document) {
  document["labels"] = {{"outlier", classes.negative}, {"inlier", classes.positive}};
  document["values"]["inlier"] = booleans_of_signs(y);
  document["confusion"] = confusion_json(comparison.confusion);
  document["roc"] = roc_json(comparison.roc);
}

Findings evaluate_novelty(const std::string& inlier, const Table& table,
                          const Prediction& prediction, ConstSpan weights) {
  std::vector<Metric> metrics = {outlier_fraction(prediction.decision.values, weights)};
  Json document = {{"n_samples", prediction.decision.rows},
                   {"metrics", nullptr},
                   {"labels", nullptr},
                   {"values", {{"decision", prediction.decision.values}}}};
  std::string counts;
  if (const auto found =
          NoveltyLabels::find(table.labels, inlier.empty() ? table.inlier : inlier)) {
    const BinaryLabels* const classes = &found->classes;
    const Vector y = classes->encode(table.labels);
    const Evaluation comparison =
        evaluate(y, prediction.decision.values, signs_of_labels(prediction), weights);
    for (const Metric& metric : comparison.metrics) {
      if (metric.name == "auc" || metric.name == "balanced_accuracy") metrics.push_back(metric);
    }
    counts = found->guessed ? "\n" + guessed_inliers(*classes) + "\n" : "";
    counts += "\n" + confusion_table(comparison.confusion, *classes, {"outlier", "inlier"});
    add_comparison(*classes, y, comparison, document);
  }
  document["metrics"] = metrics_json(metrics);
  return {fmt::format("{}\n\n{}{}", samples_text(prediction.decision.rows, weights),
                      metrics_table(metrics), counts),
          std::move(document)};
}

}  // namespace

std::string guessed_inliers(const BinaryLabels& classes) {
  return fmt::format(
      "the larger class, {}, is taken for the inliers and {} for the outliers; --inlier names "
      "another",
      kernmix::in_quotes(classes.positive), kernmix::in_quotes(classes.negative));
}

Findings findings_of(const Model& model, const Table& table, const Prediction& prediction,
                     const std::string& inlier, ConstSpan weights) {
  if (model.of_labels()) return evaluate_of_labels(model, table, prediction, weights);
  if (model.of_targets()) return evaluate_several_targets(model, table, prediction, weights);
  if (!model.single()) return evaluate_of_classes(model, table, prediction, weights);
  switch (model.target) {
    case Target::classes:
      return evaluate_two_classes(model, table, prediction, weights);
    case Target::numbers:
      return evaluate_regression(model, table, prediction, weights);
    case Target::none:
      return evaluate_novelty(inlier, table, prediction, weights);
  }
  return {};
}

}  // namespace kernmix::documents
