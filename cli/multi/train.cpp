#include "multi/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernmix/error.hpp"
#include "layout.hpp"
#include "multi/names.hpp"
#include "multi/tasks.hpp"
#include "train_summary.hpp"
#include "values.hpp"

namespace kernmix::cli {
namespace {

/// Samples of the positive and of the negative side of a task.
std::pair<Index, Index> side_sizes(const TaskModel& task, const std::vector<Index>& per_name,
                                   Index samples) {
  const Index positive = per_name[static_cast<std::size_t>(task.positive)];
  if (task.negative < 0) return {positive, samples - positive};
  return {positive, per_name[static_cast<std::size_t>(task.negative)]};
}

/// tasks_json with the number of samples on both sides.
Json counted_tasks(const MultiModel& model, const std::vector<Index>& per_name) {
  Json tasks = tasks_json(model);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const auto [positive, negative] = side_sizes(model.tasks[k], per_name, model.training_samples);
    tasks[k]["n_positive"] = positive;
    tasks[k]["n_negative"] = negative;
  }
  return tasks;
}

/// [index, weight] of the kernels with weight > 0.
Json positive_weights(const Vector& weights) {
  Json pairs = Json::array();
  for (std::size_t m = 0; m < weights.size(); ++m) {
    if (weights[m] > 0.0) pairs.push_back({m, weights[m]});
  }
  return pairs;
}

/// Labels that are nearly all different are no classes.
void refuse_numbers(const Table& table) {
  const std::set<std::string> different(table.labels.begin(), table.labels.end());
  if (2 * different.size() <= table.labels.size()) return;
  throw DataError(
      fmt::format("{}: {} samples have {} different labels; are these numbers to predict (--loss "
                  "squared)? With --multiclass they are taken for classes",
                  table.source, table.labels.size(), different.size()));
}

}  // namespace

bool has_many_tasks(const TrainArguments& a, const TrainOptions& options, const Table& table) {
  if (!a.multiclass.empty() || !a.sharing.empty() || !table.multi_labels.names.empty()) return true;
  if (loss_target(parse_loss(options.loss)) != Target::classes || table.labels.empty()) {
    return false;
  }
  if (ClassLabels::find(table.labels).names.size() <= 2) return false;
  refuse_numbers(table);
  return true;
}

MultiTrainOptions multi_options(const TrainArguments& a, const TrainOptions& options) {
  MultiTrainOptions multi;
  static_cast<TrainOptions&>(multi) = options;
  if (!a.multiclass.empty()) multi.scheme = parse_scheme(a.multiclass);
  if (!a.sharing.empty()) multi.sharing = a.sharing;
  multi.threshold_folds = whole_number("--threshold-folds", a.threshold_folds, 0);
  return multi;
}

std::map<std::string, double> multi_class_weights(const TrainArguments& a, const Table& table) {
  if (!balanced_classes(a)) return given_class_weights(a);
  if (table.labels.empty()) {
    throw ParameterError("--class-weight needs one label for each sample, there are several");
  }
  const std::vector<std::string> names = ClassLabels::find(table.labels).names;
  std::vector<double> counts(names.size(), 0.0);
  for (const Index k : ClassLabels{names}.encode(table.labels)) {
    counts[static_cast<std::size_t>(k)] += 1.0;
  }
  const double mean = static_cast<double>(table.samples()) / static_cast<double>(names.size());
  std::map<std::string, double> weights;
  for (std::size_t k = 0; k < names.size(); ++k) weights[names[k]] = mean / counts[k];
  return weights;
}

Json multi_run_json(const MultiTrainResult& result, const MultiTrainOptions& options,
                    const Dataset& data, const Context& context, const RunFacts& facts) {
  const MultiModel& model = result.model;
  const std::vector<Index> per_name = samples_per_name(model, data.table);
  Json run = run_head(model, support_vectors(model), bounds_json(model.certificate),
                      {result.status, length(result.history), result.inner_iterations,
                       result.bank_passes, result.seconds},
                      facts);
  run["svm_solves"] = result.svm_solves;
  run.update(learned_json(model));
  run["n_samples_of_name"] = per_name;
  run["settings"] = run_settings_json(options, model.settings, context, facts);
  run["settings"]["threshold_folds"] = options.threshold_folds;
  run["data"] = data_json(data, facts);
  run["weights"] = weights_json(model);
  run["tasks"] = counted_tasks(model, per_name);
  Json& history = run["history"] = Json::array();
  for (const Iteration& row : result.history) {
    history.push_back(history_row(row));
    history.back()["svm_solves"] = row.svm_solves;
    if (!row.weights.empty()) history.back()["weights"] = positive_weights(row.weights);
  }
  run["plan"] = plan_json(result.plan);
  run["warnings"] = warnings_json(result.warnings);
  run["log"] = facts.log;
  return run;
}

std::string multi_train_summary(const MultiTrainResult& result, const Table& table,
                                const RunFacts& facts) {
  const MultiModel& model = result.model;
  const bool joint = model.scheme == TaskScheme::joint;
  const std::vector<Row> tasks = {
      {"learned", tasks_text(model)},
      {"SVM solves",
       fmt::format("{}  (of {})", result.svm_solves,
                   joint ? "all classes at once" : fmt::format("{} tasks", model.tasks.size()))}};
  return summary_table(model, support_vectors(model), model.certificate, result.status,
                       length(result.history), fmt::format("{}", model.training_samples), tasks,
                       table, facts) +
         "\n" + tasks_table(model, 10) + "\n" + top_weights(model, 10) +
         warning_lines(result.warnings);
}

}  // namespace kernmix::cli
