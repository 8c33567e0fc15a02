#include "trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "json_evaluation.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "tasks.hpp"

namespace kernmix::cli {
namespace {

void require_columns(const Table& table, const std::vector<View>& views) {
  for (const View& view : views) {
    for (const std::string& column : view.columns) {
      if (std::ranges::find(table.columns, column) != table.columns.end()) continue;
      throw DataError(fmt::format("{}: has no column {}, which the training data has", table.source,
                                  kernmix::in_quotes(column)));
    }
  }
}

void require_names(const Table& table, const Table& training) {
  if (!training.targets.empty()) {
    static_cast<void>(targets_in_order(training.targets.names, table));
    return;
  }
  if (!training.multi_labels.names.empty()) {
    static_cast<void>(labels_in_order(training.multi_labels.names, table));
    return;
  }
  try {
    static_cast<void>(ClassLabels::find(training.labels).encode(table.labels));
  } catch (const DataError& failure) {
    throw DataError(fmt::format("{}: {}", table.source, failure.what()));
  }
}

/// Means of ranking and regression metrics over the classes, labels or targets.
std::vector<Metric> mean_metrics(const std::vector<ClasswiseMetric>& metrics) {
  std::vector<Metric> means;
  for (const ClasswiseMetric& metric : metrics) {
    static const std::set<std::string> traced = {"auc", "average_precision", "rmse", "r2"};
    if (!traced.contains(metric.name)) continue;
    means.push_back({"mean_" + metric.name, metric.average.macro, {}, {}});
  }
  return means;
}

std::vector<Metric> metrics_of(const Model& model, const Table& table,
                               const Prediction& prediction) {
  if (model.of_targets()) {
    return mean_metrics(evaluate_targets(model.settings.loss, targets_in_order(model.names, table),
                                         prediction.decision));
  }
  if (model.of_labels()) {
    return mean_metrics(evaluate_labels(labels_in_order(model.names, table), prediction.decision,
                                        prediction.has_label)
                            .classwise);
  }
  const auto truth = ClassLabels{model.names}.encode(table.labels);
  const MulticlassEvaluation result =
      evaluate_classes(model.names, truth, prediction.winner, prediction.decision);
  std::vector<Metric> metrics = {result.metrics.front()};
  for (Metric& mean : mean_metrics(result.classwise)) metrics.push_back(std::move(mean));
  return metrics;
}

}  // namespace

Dataset read_held_out(const TrainArguments& a, const Dataset& training, MissingRule missing,
                      const Context& context) {
  DataArguments where = a.data;
  where.files = {a.trace};
  std::vector<std::string> columns;
  for (const View& view : training.views) {
    columns.insert(columns.end(), view.columns.begin(), view.columns.end());
  }
  Dataset data =
      read_columns(columns, column_reading(training, missing), where, read_options(where, context),
                   MatrixUse::prediction, {training.table.samples()});
  require_columns(data.table, training.views);
  require_names(data.table, training.table);
  return data;
}

Json trace_row(const TrainingSnapshot& moment, const Dataset& held_out, const Context& context) {
  Context late = context;  // the model must be written even if time ran out
  late.deadline.reset();
  late.cancelled = nullptr;
  const Prediction prediction = predict(moment.model, held_out, late);
  return {{"seconds", moment.seconds},
          {"svm_solves", moment.svm_solves},
          {"metrics", metrics_json(metrics_of(moment.model, held_out.table, prediction))}};
}

}  // namespace kernmix::cli
