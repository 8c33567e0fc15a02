#include <memory>

#include "command.hpp"
#include "expected.hpp"
#include "findings.hpp"
#include "json_evaluation.hpp"
#include "kernmix/error.hpp"
#include "kernmix/train.hpp"
#include "options.hpp"
#include "train_summary.hpp"

namespace kernmix::cli {
namespace {

using EvaluateArguments = ModelArguments;

const HelpText kEvaluateHelp = {
    "evaluate", "Measure how good a model is on labelled samples, with 95 % intervals.",
    "MODEL DATA... --label COL [OPTIONS]",
    "  kernmix evaluate model.kmx test.csv --label y\n"
    "  kernmix evaluate model.kmx test.csv --label y --json evaluation.json\n"
    "  kernmix evaluate model.kmx labels.csv --label y --gram test_by_train.npy\n",
    "Metrics and their intervals, and the JSON with the points of the figures:\n"
    "docs/reference/results.md. For an honest estimate the samples must not be those of training."};

void check_inlier(const EvaluateArguments& a, const Model& model) {
  if (a.data.inlier.empty() || model.target == Target::none) return;
  throw ParameterError("--inlier: the model does not detect novelties, it learned from targets");
}

int run_evaluate(const EvaluateArguments& a) {
  ModelSession session(a, {{"--json", a.common.json}});
  const Model& model = session.model;
  require(!a.data.files.empty() || model.target == Target::none, "DATA",
          "name at least one file with samples and their labels");
  check_inlier(a, model);
  const Dataset data =
      read_columns(model.columns, model.categories, a.data, read_options(a.data, session.context));
  const Prediction prediction = predict(model, data, session.context);
  const Findings findings = findings_of(model, data.table, prediction, a.data.inlier);
  const std::vector<Warning> warnings = evaluation_warnings(model, data.table, prediction);
  session.progress.erase();
  Json document = evaluation_json({a.model, model_checksum(a.model)}, a.data.files, data.table,
                                  model, findings.document);
  document["warnings"] = warnings_json(warnings);
  emit(findings.text, document, a.common.json);
  say_left_out(data.table, a.common);
  if (!a.common.quiet) write_message(warning_lines(warnings));
  return kDone;
}

}  // namespace

Command make_evaluate(CLI::App& root) {
  const auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App& app = add_command(root, kEvaluateHelp);
  add_model_options(
      app, *arguments,
      "Column with the true labels (required, except for several --labels or --targets, LIBSVM "
      "files and novelty detection)");
  add_inlier_option(app, arguments->data);
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_evaluate(*arguments); }};
}

}  // namespace kernmix::cli
