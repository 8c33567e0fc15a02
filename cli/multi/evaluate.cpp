#include "multi/evaluate.hpp"

#include <fmt/format.h>

#include "json_evaluation.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "layout.hpp"
#include "metrics_table.hpp"
#include "multi/names.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t shown_classes = 30;  ///< in tables for people; the JSON has them all

/// Averages of all metrics: micro and macro where they are known.
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

/// A line for each class or label, with the metrics that people look at.
std::string classes_table(const std::vector<std::string>& names,
                          const std::vector<ClasswiseMetric>& metrics) {
  const std::vector<std::string> shown = {"precision", "recall", "f1", "auc", "average_precision"};
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

std::string confusion_rows(const ConfusionMatrix& counts) {
  if (counts.names.size() > shown_classes) return "";
  std::vector<Row> rows(1, Row{"true \\ predicted"});
  rows.front().insert(rows.front().end(), counts.names.begin(), counts.names.end());
  for (Index truth = 0; truth < length(counts.names); ++truth) {
    Row row = {counts.names[static_cast<std::size_t>(truth)]};
    for (Index k = 0; k < length(counts.names); ++k) {
      row.push_back(fmt::format("{}", counts(truth, k)));
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
    for (Index k = 0; k < length(counts.names); ++k) row.push_back(counts(truth, k));
    rows.push_back(std::move(row));
  }
  return rows;
}

Findings evaluate_of_classes(const MultiModel& model, const Table& table,
                             const MultiPrediction& prediction) {
  if (table.labels.empty()) {
    throw ParameterError("--label is missing: name the column with the true labels");
  }
  const auto truth = ClassLabels{model.names}.encode(table.labels);
  const MulticlassEvaluation result =
      evaluate_classes(model.names, truth, prediction.winner, prediction.decision);
  return {
      fmt::format("{} samples\n\n{}\n{}\n{}{}", result.samples, metrics_table(result.metrics),
                  averages_table(result.classwise), classes_table(model.names, result.classwise),
                  confusion_rows(result.confusion)),
      {{"n_samples", result.samples},
       {"metrics", metrics_json(result.metrics)},
       {"classwise", classwise_json(result.classwise)},
       {"confusion", confusion_matrix_json(result.confusion)}}};
}

Vector thresholds(const MultiModel& model) {
  Vector values;
  for (const TaskModel& task : model.tasks) values.push_back(task.threshold);
  return values;
}

Findings evaluate_of_labels(const MultiModel& model, const Table& table,
                            const MultiPrediction& prediction) {
  const MultilabelEvaluation result =
      evaluate_labels(labels_in_order(model.names, table), prediction.decision, thresholds(model));
  Json counts = Json::array();
  for (const Confusion& label : result.counts) counts.push_back(confusion_json(label));
  return {
      fmt::format("{} samples\n\n{}\n{}\n{}", result.samples, metrics_table(result.metrics),
                  averages_table(result.classwise), classes_table(model.names, result.classwise)),
      {{"n_samples", result.samples},
       {"metrics", metrics_json(result.metrics)},
       {"classwise", classwise_json(result.classwise)},
       {"confusion", std::move(counts)}}};
}

}  // namespace

Findings evaluate_multi(const MultiModel& model, const Table& table,
                        const MultiPrediction& prediction) {
  return model.of_labels() ? evaluate_of_labels(model, table, prediction)
                           : evaluate_of_classes(model, table, prediction);
}

}  // namespace kernmix::cli
