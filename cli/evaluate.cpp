#include "multi/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "json_evaluation.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "metrics_table.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

struct EvaluateArguments : ModelArguments {
  std::string inlier;
};

const HelpText kEvaluateHelp = {
    "evaluate", "Measure how good a model is on labelled samples, with 95 % intervals.",
    "MODEL DATA... --label COL [OPTIONS]",
    "  kernmix evaluate model.kmx test.csv --label y\n"
    "  kernmix evaluate model.kmx test.csv --label y --json evaluation.json\n"
    "  kernmix evaluate model.kmx labels.csv --label y --gram test_by_train.npy\n",
    "Metrics and their intervals, and the JSON with the points of the figures:\n"
    "docs/reference/results.md. For an honest estimate the samples must not be those of training."};

/// \param truth  names of the classes in the data;  \param outcome  names of what is predicted
std::string confusion_table(const Confusion& counts, const BinaryLabels& truth,
                            const BinaryLabels& outcome) {
  const auto count = [](Index value) { return fmt::format("{}", value); };
  return aligned(
      {{"", "predicted " + outcome.negative, "predicted " + outcome.positive},
       {"true " + truth.negative, count(counts.true_negative), count(counts.false_positive)},
       {"true " + truth.positive, count(counts.false_negative), count(counts.true_positive)}},
      true);
}

void require_labels(const Table& table) {
  if (!table.labels.empty()) return;
  throw ParameterError("--label is missing: name the column with the true labels");
}

Findings evaluate_classes(const Model& model, const Table& table, const Prediction& prediction) {
  require_labels(table);
  const Evaluation result = evaluate(model.classes.encode(table.labels), prediction.decision);
  return {fmt::format("{} samples, {} of them {}\n\n{}\n{}", result.samples, result.positives,
                      model.classes.positive, metrics_table(result.metrics),
                      confusion_table(result.confusion, model.classes, model.classes)),
          {{"n_samples", result.samples},
           {"n_positive", result.positives},
           {"metrics", metrics_json(result.metrics)},
           {"confusion", confusion_json(result.confusion)},
           {"roc", roc_json(result.roc)}}};
}

Findings evaluate_regression(const Model& model, const Table& table, const Prediction& prediction) {
  require_labels(table);
  const Vector y = numbers_of(table.labels);
  const auto metrics = evaluate_numbers(parse_loss(model.settings.loss), y, prediction.decision);
  return {fmt::format("{} samples\n\n{}", y.size(), metrics_table(metrics)),
          {{"n_samples", y.size()},
           {"metrics", metrics_json(metrics)},
           {"values", {{"true", y}, {"predicted", prediction.decision}}}}};
}

/// The labels of outliers (negative) and inliers (positive), where the labels are two classes: the
/// inliers are named by --inlier, else called "inlier", else the larger label.
std::optional<BinaryLabels> novelty_classes(const std::vector<std::string>& labels,
                                            const std::string& inlier) {
  if (!inlier.empty()) return BinaryLabels::find(labels, inlier);
  try {
    const BinaryLabels found = BinaryLabels::find(labels);
    return found.negative == "inlier" ? BinaryLabels{found.positive, found.negative} : found;
  } catch (const DataError&) {
    return std::nullopt;  // no labels, or not two classes: nothing to compare with
  }
}

/// The part of the JSON that needs labels.
void add_comparison(const BinaryLabels& classes, ConstSpan y, const Evaluation& comparison,
                    Json& document) {
  document["labels"] = {{"outlier", classes.negative}, {"inlier", classes.positive}};
  Json& inlier = document["values"]["inlier"] = Json::array();
  for (const double sign : y) inlier.push_back(sign > 0.0);
  document["confusion"] = confusion_json(comparison.confusion);
  document["roc"] = roc_json(comparison.roc);
}

Findings evaluate_novelty(const std::string& inlier, const Table& table,
                          const Prediction& prediction) {
  std::vector<Metric> metrics = {outlier_fraction(prediction.decision)};
  Json document = {{"n_samples", prediction.decision.size()},
                   {"metrics", nullptr},
                   {"labels", nullptr},
                   {"values", {{"decision", prediction.decision}}}};
  std::string counts;
  if (const auto classes = novelty_classes(table.labels, inlier)) {
    const Vector y = classes->encode(table.labels);
    const Evaluation comparison = evaluate(y, prediction.decision);
    for (const Metric& metric : comparison.metrics) {
      if (metric.name == "auc" || metric.name == "balanced_accuracy") metrics.push_back(metric);
    }
    counts = "\n" + confusion_table(comparison.confusion, *classes, {"outlier", "inlier"});
    add_comparison(*classes, y, comparison, document);
  }
  document["metrics"] = metrics_json(metrics);
  return {
      fmt::format("{} samples\n\n{}{}", prediction.decision.size(), metrics_table(metrics), counts),
      std::move(document)};
}

Findings evaluation_of(const EvaluateArguments& a, const Model& model, const Table& table,
                       const Prediction& prediction) {
  switch (model.target) {
    case Target::classes:
      return evaluate_classes(model, table, prediction);
    case Target::numbers:
      return evaluate_regression(model, table, prediction);
    case Target::none:
      return evaluate_novelty(a.inlier, table, prediction);
  }
  return {};
}

void check_inlier(const EvaluateArguments& a, const AnyModel& model) {
  if (a.inlier.empty() || !has_targets(model)) return;
  throw ParameterError("--inlier: the model does not detect novelties, it learned from targets");
}

Findings findings_of(const EvaluateArguments& a, const Model& model, const Dataset& data,
                     const Context& context) {
  return evaluation_of(a, model, data.table, predict(model, data, context));
}

Findings findings_of(const EvaluateArguments& /*a*/, const MultiModel& model, const Dataset& data,
                     const Context& context) {
  return evaluate_multi(model, data.table, predict_multi(model, data, context));
}

int run_evaluate(const EvaluateArguments& a) {
  ModelSession session(a, {{"--json", a.common.json}});
  require(!a.data.files.empty() || !has_targets(session.model), "DATA",
          "name at least one file with samples and their labels");
  check_inlier(a, session.model);
  const Dataset data =
      read_columns(basis_of(session.model).columns, a.data, read_options(a.data, session.context));
  const Findings findings =
      std::visit([&](const auto& model) { return findings_of(a, model, data, session.context); },
                 session.model);
  session.progress.erase();
  Json document = {{"version", KERNMIX_VERSION}, {"command", "evaluate"},
                   {"model", a.model},           {"model_checksum", model_checksum(a.model)},
                   {"data", a.data.files},       {"unmatched", data.table.unmatched}};
  document.update(std::visit([](const auto& model) { return learned_json(model); }, session.model));
  document.update(findings.document);
  emit(findings.text, document, a.common.json);
  return kDone;
}

}  // namespace

Command make_evaluate(CLI::App& root) {
  const auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App& app = add_command(root, kEvaluateHelp);
  add_model_options(
      app, *arguments,
      "Column with the true labels (required, except for several --labels, LIBSVM files "
      "and novelty detection)");
  OptionGroup(app, "Data")
      .value("--inlier", arguments->inlier, "LABEL",
             "Of a novelty detector: the label of samples that are no "
             "novelty [default: inlier, or the larger label]");
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_evaluate(*arguments); }};
}

}  // namespace kernmix::cli
