#include <fmt/format.h>

#include <memory>
#include <set>

#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

const HelpText kVerifyHelp = {
    "verify", "Recompute a model's certificate from scratch on its training data and compare it.",
    "MODEL DATA... [OPTIONS]",
    "  kernmix verify model.kmx train.csv --label y\n"
    "  kernmix verify model.kmx labels.csv --label y --gram kernels.npy\n",
    "Give the data exactly as for kernmix train. Every kernel is evaluated anew in double "
    "precision;\n"
    "the solver is not involved. Ends with code 0 when the model agrees with its certificate to "
    "1e-9\n"
    "and with code 3 when it does not. The mathematics: docs/problem.md."};

/// Every column that some kernel reads, with weight or without: the proof needs them all.
std::vector<std::string> proof_columns(const Model& model) {
  std::set<std::string> seen;
  std::vector<std::string> columns;
  for (const ModelKernel& kernel : model.kernels) {
    for (const std::string& column : kernel.description.columns) {
      if (seen.insert(column).second) columns.push_back(column);
    }
  }
  return columns;
}

Row compared(const char* name, double reported, double recomputed) {
  return {name, fmt::format("{:.12g}", reported), fmt::format("{:.12g}", recomputed)};
}

std::string verdict(const Verification& verification) {
  if (verification.agrees) return "agrees: the certificate holds";
  if (!verification.same_data) {
    return "does not agree: the data is not what the model was trained on";
  }
  return "does not agree: the model is not what its certificate says";
}

std::string comparison(const Verification& v) {
  const std::vector<Row> rows = {
      {"", "reported", "recomputed"},
      compared("primal", v.reported.primal, v.recomputed.primal),
      compared("dual", v.reported.dual, v.recomputed.dual),
      compared("gap", v.reported.gap, v.recomputed.gap),
      compared("relative gap", v.reported.relative_gap(), v.recomputed.relative_gap()),
      compared("bias", v.reported.bias, v.recomputed.bias)};
  return aligned(rows, true) +
         fmt::format("\nlargest relative difference {:.2e}\n{}\n", v.difference, verdict(v));
}

Json verification_json(const ModelArguments& a, const Verification& v) {
  return {{"version", KERNMIX_VERSION},
          {"command", "verify"},
          {"model", a.model},
          {"data", a.data.files},
          {"agrees", v.agrees},
          {"same_data", v.same_data},
          {"difference", v.difference},
          {"reported", certificate_json(v.reported)},
          {"recomputed", certificate_json(v.recomputed)}};
}

int run_verify(const ModelArguments& a) {
  ModelSession session(a, {{"--json", a.common.json}});
  const Model& model = session.model;
  require(!a.data.files.empty() || model.target == Target::none, "DATA",
          "name the files that the model was trained on");
  const Dataset data =
      read_columns(proof_columns(model), a.data, read_options(a.data, session.context));
  const Verification verification = verify(model, data, session.context);
  session.progress.erase();
  emit(comparison(verification), verification_json(a, verification), a.common.json);
  return verification.agrees ? kDone : kDisagrees;
}

}  // namespace

Command make_verify(CLI::App& root) {
  const auto arguments = std::make_shared<ModelArguments>();
  CLI::App& app = add_command(root, kVerifyHelp);
  add_model_options(app, *arguments,
                    "Column with the labels of training (required, except for LIBSVM files and "
                    "novelty detection)");
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_verify(*arguments); }};
}

}  // namespace kernmix::cli
