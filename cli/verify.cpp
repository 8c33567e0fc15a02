#include <fmt/format.h>

#include <memory>
#include <set>

#include "command.hpp"
#include "data/names/row_ids.hpp"
#include "json_run.hpp"
#include "kernmix/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/pipeline.hpp"
#include "model/thresholds/folds.hpp"
#include "options.hpp"
#include "product_text.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

const HelpText kVerifyHelp = {
    "verify", "Recompute every claim of a model from its training data, and compare.",
    "MODEL DATA... [OPTIONS]",
    "  kernmix verify model.kmx train.csv --label y\n"
    "  kernmix verify model.kmx labels.csv --label y --gram kernels.npy\n",
    "Give the data exactly as for kernmix train. Every kernel is evaluated again in double\n"
    "precision; the solver is not used. The output has a line for each claim of the model: data,\n"
    "support vectors, settings, scaling, kernels, predictions, weights, dual vector, bounds, "
    "bias,\n"
    "status, and of a product of kernels its stationarity. The exit code is 0 if all claims agree\n"
    "to 1e-9, and 3 otherwise."};

/// The columns of all kernels, including those without weight, which the proof needs.
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
  if (verification.agrees) return "agrees: every claim of the model holds";
  if (!verification.same_data) {
    return "does not agree: the data differs from the training data; give the data exactly "
           "as "
           "for kernmix train";
  }
  return "does not agree: the model file was changed after training; train again, or restore the "
         "file";
}

/// A line for each claim.
std::string claim_lines(const Verification& verification) {
  std::vector<Row> rows;
  for (const Claim& claim : verification.claims) {
    rows.push_back({claim.name, claim.agrees ? "agrees" : "FAILS", claim.finding});
  }
  return aligned(rows, false);
}

std::string certificates(const Model& model, const Verification& v) {
  std::vector<Row> rows = {
      {"", "reported", "recomputed"},
      compared("primal", v.reported.primal, v.recomputed.primal),
      compared("dual", v.reported.dual, v.recomputed.dual),
      compared("gap", v.reported.gap, v.recomputed.gap),
      compared("relative gap", v.reported.relative_gap(), v.recomputed.relative_gap())};
  if (v.exact_reported && v.exact_recomputed) {
    const Bounds& own = *v.exact_reported;
    const Bounds& again = *v.exact_recomputed;
    rows.push_back(compared("exact kernels: primal", own.primal, again.primal));
    rows.push_back(compared("exact kernels: dual", own.dual, again.dual));
    rows.push_back(
        compared("exact kernels: relative gap", own.relative_gap(), again.relative_gap()));
  }
  if (model.single()) rows.push_back(compared("bias", model.tasks.front().bias, v.biases.front()));
  return aligned(rows, true) +
         fmt::format("\nlargest relative difference {:.2e}\n\n", v.difference);
}

std::string comparison(const Model& model, const Verification& v) {
  const std::string product = model.product ? aligned(product_rows(model)) + "\n" : "";
  return fmt::format("{}{}{}\n{}\n", v.biases.empty() ? "" : certificates(model, v), product,
                     claim_lines(v), verdict(v));
}

Json claims_json(const Verification& verification) {
  Json claims = Json::array();
  for (const Claim& claim : verification.claims) {
    Json& entry = claims.emplace_back(Json{{"name", claim.name}, {"agrees", claim.agrees}});
    if (claim.agrees) continue;
    entry["finding"] = claim.finding;
    entry["reported"] = claim.reported;
    entry["recomputed"] = claim.recomputed;
  }
  return claims;
}

void emit_verification(const ModelArguments& a, const Model& model, const Verification& v) {
  const double best = v.biases.empty() ? 0.0 : v.biases.front();
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "verify"},
                   {"model", a.model},
                   {"data", a.data.files},
                   {"agrees", v.agrees},
                   {"same_data", v.same_data},
                   {"difference", v.difference},
                   {"claims", claims_json(v)},
                   {"reported", certificate_json(model, v.reported, model.tasks.front().bias)},
                   {"recomputed", certificate_json(model, v.recomputed, best)}};
  if (v.exact_reported) document["reported"]["exact"] = bounds_json(*v.exact_reported);
  if (v.exact_recomputed) document["recomputed"]["exact"] = bounds_json(*v.exact_recomputed);
  document.update(product_json(model));
  emit(comparison(model, v), document, a.common.json);
}

struct VerifyArguments : ModelArguments {
  std::string sample_weight;
};

std::vector<View> views_of_columns(const Model& model) {
  std::vector<View> views;
  for (const ScaledView& view : model.views) views.push_back({view.view, view.columns});
  return views;
}

/// The data without the samples that training left out: those of weight 0, and those without a view
/// with --absent drop.
Dataset read_verified(const VerifyArguments& a, const Model& model, const Context& context) {
  const ReadOptions reading = read_options(a.data, context);
  const bool dropped = model.settings.absent == absent_rule_name(AbsentRule::drop);
  ColumnReading columns = column_reading(model);
  columns.keep_missing = parse_missing_rule(model.settings.missing) != MissingRule::refuse;
  if (dropped) columns.lacking = views_of_columns(model);
  Dataset data = read_columns(proof_columns(model), columns, a.data, reading, MatrixUse::training,
                              {}, landmark_rule(model));
  require_matrices(model, a.data);
  if (dropped) {
    data.views = columns.lacking;
    const std::vector<Index> complete = samples_with_all_views(data);
    const bool all = length(complete) == sample_count(data.table, data.matrices);
    data = complete_part(data, complete);
    if (!all) name_by_rows(data.table, complete);
  }
  if (a.sample_weight.empty()) return data;
  const Vector weights = read_weights(a.sample_weight, a.data, data.table, context);
  const std::vector<Index> kept = samples_that_count(data.table, a.sample_weight, weights);
  if (kept.size() == weights.size()) return data;
  data = only_samples(data, kept);
  name_by_rows(data.table, kept);
  return data;
}

int run_verify(const VerifyArguments& a) {
  ModelSession session(a);
  const Model& model = session.model;
  require(!a.data.files.empty() || model.target == Target::none, "DATA",
          "name the files that the model was trained on");
  const Dataset data = read_verified(a, model, session.context);
  const Verification verification = verify(model, data, session.context);
  session.progress.erase();
  emit_verification(a, model, verification);
  say_of_reading(data.table, a.common);
  return verification.agrees ? kDone : kDisagrees;
}

}  // namespace

Command make_verify(CLI::App& root) {
  const auto arguments = std::make_shared<VerifyArguments>();
  CLI::App& app = add_command(root, kVerifyHelp);
  add_model_options(
      app, *arguments,
      "Column with the labels of training (required, except with --labels or --targets, with "
      "LIBSVM files and for novelty detection)");
  OptionGroup(app, "Training")
      .value("--sample-weight", arguments->sample_weight, "COL",
             "Column with the sample weights of training; needed if some are 0, because training "
             "ignored these samples");
  add_common_options(app, arguments->common, kNoResult);
  return {&app, &arguments->common.config, [arguments] { return run_verify(*arguments); }};
}

}  // namespace kernmix::cli
