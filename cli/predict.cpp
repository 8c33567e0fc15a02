#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

struct PredictArguments {
  CommonArguments common;
  DataArguments data;
  std::string model;
  std::string output = "-";
  bool contributions = false;
};

const HelpText kPredictHelp = {
    "predict", "Predict decision values and labels of new samples with a trained model.",
    "MODEL DATA... [OPTIONS]",
    "  kernmix predict model.kmx test.csv > predictions.csv\n"
    "  kernmix predict model.kmx test.csv --id patient --contributions -o predictions.csv\n"
    "  kernmix predict model.kmx --gram test_by_train.npy\n",
    "The result is CSV: sample, decision, label. Columns that the model does not read may hold\n"
    "anything. A given matrix has one row for each new sample and one column for each training\n"
    "sample (or for each support vector). How a model is stored: docs/formats.md."};

std::string sample_name(const Table& table, Index i) {
  return table.ids.empty() ? fmt::format("{}", i + 1) : table.ids[static_cast<std::size_t>(i)];
}

std::string predictions_csv(const Model& model, const Table& table, const Prediction& prediction) {
  std::string csv = "sample,decision,label";
  const Index kernels = prediction.contributions.cols;
  for (Index k = 0; k < kernels; ++k) {
    const Index m = prediction.contributing[static_cast<std::size_t>(k)];
    csv += "," + csv_field(model.kernels[static_cast<std::size_t>(m)].description.name());
  }
  csv += "\n";
  for (Index i = 0; i < length(prediction.decision); ++i) {
    const auto row = static_cast<std::size_t>(i);
    csv += fmt::format("{},{},{}", csv_field(sample_name(table, i)), prediction.decision[row],
                       csv_field(prediction.label[row]));
    for (Index k = 0; k < kernels; ++k) csv += fmt::format(",{}", prediction.contributions(i, k));
    csv += "\n";
  }
  return csv;
}

Json predictions_json(const PredictArguments& a, const Table& table, const Prediction& prediction) {
  Json samples = Json::array();
  for (Index i = 0; i < length(prediction.decision); ++i) {
    const auto row = static_cast<std::size_t>(i);
    samples.push_back({{"sample", sample_name(table, i)},
                       {"decision", prediction.decision[row]},
                       {"label", prediction.label[row]}});
  }
  return {{"version", KERNMIX_VERSION},
          {"command", "predict"},
          {"model", a.model},
          {"data", a.data.files},
          {"unmatched", table.unmatched},
          {"predictions", std::move(samples)}};
}

int run_predict(const PredictArguments& a) {
  require(!a.model.empty(), "MODEL", "name the model file that kernmix train wrote");
  std::vector<std::string> inputs = input_files(a.data);
  inputs.push_back(a.model);
  check_outputs({{"-o", a.output}, {"--json", a.common.json}}, inputs);
  ProgressLine progress(!a.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.common, progress, log);

  const Model model = load_model(a.model);
  ReadOptions options = read_options(a.data, context);
  options.label_optional = true;
  const Dataset data = read_columns(model.columns, a.data, options);
  const Prediction prediction = predict(model, data, context, a.contributions);
  progress.erase();
  if (!a.common.json.empty()) {
    write_text(a.common.json, json_text(predictions_json(a, data.table, prediction)));
  }
  write_text(a.output, predictions_csv(model, data.table, prediction));
  if (data.table.unmatched > 0 && !a.common.quiet) {
    fmt::print(stderr, "kernmix: {} samples were left out: not in every file\n",
               data.table.unmatched);
  }
  return kDone;
}

}  // namespace

Command make_predict(CLI::App& root) {
  const auto arguments = std::make_shared<PredictArguments>();
  CLI::App& app = add_command(root, kPredictHelp);
  add_value(app, "MODEL", arguments->model, {"Data", "MODEL.kmx", "Model file of kernmix train"});
  add_data_options(app, arguments->data, "Column with labels, where there is one: it is not read");
  add_value(app, "-o,--output", arguments->output,
            {"Results", "FILE", "CSV file to write; - is standard output"});
  add_switch(
      app, "--contributions", arguments->contributions,
      {"Results", "",
       "Also write what each kernel with weight adds to the decision value, one column each"});
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_predict(*arguments); }};
}

}  // namespace kernmix::cli
