#include "kernmix/explain.hpp"

#include <fmt/format.h>

#include <memory>

#include "absent_views.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "model/settings/number_text.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

struct ExplainArguments : ModelArguments {
  std::string output;
  std::string gradients;
  std::string top = "20";
};

const HelpText kExplainHelp = {
    "explain", "Attribute the decisions of a model to views and columns.",
    "MODEL DATA... [OPTIONS]",
    "  kernmix explain model.kmx test.csv\n"
    "  kernmix explain model.kmx test.csv --id patient -o effects.csv --gradients gradients.csv\n",
    "For each view the output has the share of the variance of the decision value. For each column "
    "of a\nview it has the importance mean |df/dx| sd(x), the change of the contribution f of the "
    "view for one\nstandard deviation of the column, and the direction, from -1 to 1. Both "
    "describe the model, not the\nworld: correlated columns share their importance."};

const std::string& task_of(const Model& model, Index task) {
  return model.tasks[to_size(task)].name;
}

/// The cells of a row, preceded by the task if there are several.
Row with_task(const Model& model, const std::string& task, Row cells) {
  if (!model.single()) cells.insert(cells.begin(), task);
  return cells;
}

std::string views_table(const Model& model, const Explanation& found) {
  std::vector<Row> rows = {with_task(model, "task", {"view", "kernels", "share", "deviation"})};
  for (const ViewEffect& effect : found.views) {
    rows.push_back(
        with_task(model, task_of(model, effect.task),
                  {effect.view, fmt::format("{}", effect.kernels),
                   fmt::format("{:.4f}", effect.share), fmt::format("{:.4g}", effect.deviation)}));
  }
  return aligned(rows, true);
}

/// Which class a positive direction favours, of two classes; tasks are named by their classes.
std::string direction_text(const Model& model) {
  if (!model.single() || model.target != Target::classes) return "";
  return fmt::format("A direction above 0 means that larger values favour {}.\n",
                     kernmix::in_quotes(model.names[1]));
}

/// \param top  rows of each task
std::string features_table(const Model& model, const Explanation& found, Index top) {
  std::vector<Row> rows = {
      with_task(model, "task", {"feature", "view", "importance", "direction"})};
  std::vector<Index> shown(model.tasks.size(), 0);
  for (const FeatureEffect& effect : found.features) {
    if (shown[to_size(effect.task)]++ >= top) continue;
    rows.push_back(with_task(model, task_of(model, effect.task),
                             {effect.feature, effect.view, fmt::format("{:.4g}", effect.importance),
                              fmt::format("{:+.2f}", effect.direction)}));
  }
  if (rows.size() == 1) return "Given matrices have no columns to explain.\n";
  const std::size_t left_out = found.features.size() + 1 - rows.size();
  return aligned(rows, true) +
         (left_out == 0 ? ""
                        : fmt::format("... and {} more, see -o, --json or --top\n", left_out)) +
         direction_text(model);
}

std::string effects_csv(const Model& model, const Explanation& found) {
  std::string csv = model.single() ? "" : "task,";
  csv += "feature,view,importance,direction\n";
  for (const FeatureEffect& effect : found.features) {
    if (!model.single()) csv += csv_field(task_of(model, effect.task)) + ",";
    csv += fmt::format("{},{},{},{}\n", csv_field(effect.feature), csv_field(effect.view),
                       effect.importance, effect.direction);
  }
  return csv;
}

/// A row for each sample, a column for each effect: "FEATURE in VIEW", of many tasks "... to TASK".
std::string gradients_csv(const Model& model, const Table& table, const Explanation& found) {
  std::string csv = "sample";
  for (const FeatureEffect& effect : found.features) {
    const std::string name = effect.feature + " in " + effect.view;
    csv += "," + csv_field(model.single() ? name : name + " to " + task_of(model, effect.task));
  }
  csv += "\n";
  for (Index i = 0; i < found.gradients.rows; ++i) {
    csv += csv_field(sample_name(table, i));
    for (const double value : found.gradients.row(i)) csv += fmt::format(",{}", value);
    csv += "\n";
  }
  return csv;
}

Json explanation_json(const Model& model, const Explanation& found) {
  Json views = Json::array();
  for (const ViewEffect& effect : found.views) {
    views.push_back({{"task", task_of(model, effect.task)},
                     {"view", effect.view},
                     {"n_kernels", effect.kernels},
                     {"share", json_number(effect.share)},
                     {"deviation", json_number(effect.deviation)}});
  }
  Json features = Json::array();
  for (const FeatureEffect& effect : found.features) {
    features.push_back({{"task", task_of(model, effect.task)},
                        {"feature", effect.feature},
                        {"view", effect.view},
                        {"importance", json_number(effect.importance)},
                        {"direction", json_number(effect.direction)}});
  }
  return {{"views", std::move(views)}, {"features", std::move(features)}};
}

int run_explain(const ExplainArguments& a) {
  const Index top = whole_number("--top", a.top, 1);
  ModelSession session(a);
  ReadOptions options = read_options(a.data, session.context);
  options.label_optional = true;
  const Model& model = session.model;
  const Dataset data = read_new_data(model, a.data, options);
  const Explanation found = explain(model, data, session.context, !a.gradients.empty());
  session.progress.erase();
  if (!a.output.empty()) write_text(a.output, effects_csv(model, found));
  if (!a.gradients.empty()) write_text(a.gradients, gradients_csv(model, data.table, found));
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "explain"},
                   {"model", a.model},
                   {"data", a.data.files},
                   {"unmatched", data.table.unmatched}};
  document.update(explanation_json(model, found));
  emit(views_table(model, found) + "\n" + features_table(model, found, top), document,
       a.common.json);
  say_of_reading(data.table, a.common);
  say_absent_views(model, data, a.common);
  return kDone;
}

}  // namespace

Command make_explain(CLI::App& root) {
  const auto arguments = std::make_shared<ExplainArguments>();
  CLI::App& app = add_command(root, kExplainHelp);
  add_model_options(
      app, *arguments,
      "Column with labels, if the file has such a column; the command does not use it");
  OptionGroup results(app, "Results");
  results.value("-o,--output", arguments->output, writes("FILE"),
                "CSV file for all columns with their importance and direction");
  results.value(
      "--gradients", arguments->gradients, writes("FILE"),
      "CSV file for the derivatives of each view's contribution with respect to its columns, for "
      "each sample");
  results.value("--top", arguments->top, "N", "Number of columns to show for each task");
  add_common_options(app, arguments->common, kNoResult);
  return {&app, &arguments->common.config, [arguments] { return run_explain(*arguments); }};
}

}  // namespace kernmix::cli
