#include "json_run.hpp"

#include <algorithm>

#include "kernmix/bank/plan.hpp"
#include "kernmix/identity_kernels.hpp"
#include "kernmix/process.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/version.hpp"
#include "product_text.hpp"
#include "provenance.hpp"
#include "repair_text.hpp"
#include "scaling_text.hpp"
#include "tasks.hpp"
#include "views_text.hpp"

namespace kernmix::documents {
namespace {

Json plan_json(const MemoryPlan& plan) {
  Json kernels = Json::array();
  for (const MemoryPlan::Entry& entry : plan.kernels) {
    kernels.push_back(
        {{"storage", storage_name(entry.kind)}, {"rank", entry.rank}, {"bytes", entry.bytes}});
  }
  return {{"total_bytes", plan.total()},
          {"bank_bytes", plan.bank_bytes},
          {"data_bytes", plan.data_bytes},
          {"combined_bytes", plan.combined_bytes},
          {"workspace_bytes", plan.workspace_bytes},
          {"batch_bytes", plan.batch_bytes},
          {"held_bytes", plan.held_bytes},
          {"kernels", std::move(kernels)}};
}

Json data_json(const Dataset& data, const RunFacts& facts) {
  return {{"files", facts.files},
          {"checksums", checksums_json(facts.files)},
          {"label", facts.label},
          {"id", facts.id},
          {"n_columns", data.table.columns.size()},
          {"unmatched", facts.unmatched},
          {"views", views_json(data)}};
}

/// What was asked for: a number, true or false, a list or text; null where it is left to a rule.
Json setting_json(const Field& field, const TrainOptions& options) {
  const std::vector<std::string> texts = field.texts(options);
  if (field.form == SettingForm::list || field.form == SettingForm::shares) return texts;
  if (texts.empty()) return nullptr;
  const bool as_written =
      field.form == SettingForm::text || field.form == SettingForm::text_or_whole;
  return as_written ? Json(texts.front()) : Json::parse(texts.front());
}

Json run_settings_json(const TrainOptions& options, const Model& model, const Context& context,
                       const RunFacts& facts) {
  Json settings = settings_json(model.settings);
  settings["solver_asked"] = options.solver.solver;
  settings["scale"] = scaling_texts(options.scaling);
  settings["scaling"] = scaling_json(model.views);
  settings["normalize"] = normalization_of(options).text();
  settings["sample_weight"] = facts.sample_weight;
  settings["threads"] = context.threads;
  settings["memory_bytes"] = context.memory_bytes;
  for (const Field& field : fields()) {
    if (!settings.contains(field.name)) settings[field.name] = setting_json(field, options);
  }
  return settings;
}

/// Samples of the positive and of the negative side of a task.
std::pair<Index, Index> side_sizes(const TaskModel& task, const std::vector<Index>& per_name,
                                   Index samples) {
  const Index positive = per_name[to_size(task.positive)];
  if (task.negative < 0) return {positive, samples - positive};
  return {positive, per_name[to_size(task.negative)]};
}

/// tasks_json with the number of samples on both sides, where there are sides.
Json counted_tasks(const Model& model, const std::vector<Index>& per_name) {
  Json tasks = tasks_json(model);
  for (std::size_t k = 0; k < tasks.size() && !per_name.empty(); ++k) {
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

Json history_json(const TrainResult& result) {
  Json history = Json::array();
  for (const Iteration& row : result.history) {
    Json& entry = history.emplace_back(Json{{"number", row.number},
                                            {"step", row.step},
                                            {"primal", json_number(row.primal)},
                                            {"dual", json_number(row.dual)},
                                            {"relative_gap", json_number(row.relative_gap)},
                                            {"seconds", row.seconds},
                                            {"bank_passes", row.bank_passes},
                                            {"inner_iterations", row.inner_iterations},
                                            {"active_kernels", row.active_kernels}});
    if (!result.model.single()) entry["svm_solves"] = row.svm_solves;
    if (!row.weights.empty()) entry["weights"] = positive_weights(row.weights);
  }
  return history;
}

/// What `train --json` says of every model: status, bounds and effort, counts.
Json run_head(const TrainResult& result, const RunFacts& facts) {
  const Model& model = result.model;
  Json run = {{"version", KERNMIX_VERSION},
              {"command", "train"},
              {"command_line", command_line()},
              {"model", facts.model_file},
              {"model_checksum", facts.model_checksum},
              {"status", status_name(result.status)}};
  run.update(certificate_json(model, model.certificate, model.tasks.front().bias));
  run["tolerance"] = model.settings.tolerance;
  run["iterations"] = iterations_of(result);
  run["inner_iterations"] = result.inner_iterations;
  run["bank_passes"] = result.bank_passes;
  run["seconds"] = {{"read", facts.read_seconds},
                    {"kernels", result.seconds.kernels},
                    {"solve", result.seconds.solve},
                    {"certify", result.seconds.certify},
                    {"total", facts.total_seconds}};
  run["peak_memory_bytes"] = peak_memory_bytes();
  run["n_samples"] = model.training_samples;
  run["n_kernels"] = model.kernels.size();
  run["n_kernels_used"] = kernels_used(model);
  run["n_support"] = support_vectors(model);
  return run;
}

/// Null where nothing is known.
Json similarity_json(const TrainResult& result) {
  const KernelSimilarity& found = result.similarity;
  if (found.kernels.empty()) return nullptr;
  Json names = Json::array();
  for (const Index m : found.kernels) {
    names.push_back(result.model.kernels[to_size(m)].description.name());
  }
  Json rows = Json::array();
  for (Index k = 0; k < found.alignment.rows; ++k) {
    const ConstSpan row = found.alignment.row(k);
    rows.push_back(Vector(row.begin(), row.end()));
  }
  return {{"n_samples", found.samples},
          {"kernels", std::move(names)},
          {"alignment", std::move(rows)},
          {"spectrum", found.spectrum}};
}

}  // namespace

Index iterations_of(const TrainResult& result) {
  const auto& product = result.model.product;
  return product ? product->iterations : length(result.history);
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json all = Json::array();
  for (const Warning& warning : warnings) {
    all.push_back({{"code", warning.code}, {"message", warning.message}});
    if (!warning.kernels.empty()) all.back()["kernels"] = warning.kernels;
  }
  return all;
}

Json bounds_json(const Bounds& bounds) {
  return {{"primal", json_number(bounds.primal)},
          {"dual", json_number(bounds.dual)},
          {"gap", json_number(bounds.gap)},
          {"relative_gap", json_number(bounds.relative_gap())},
          {"inner_gap", json_number(bounds.inner_gap)},
          {"outer_gap", json_number(bounds.outer_gap)},
          {"least_size", json_number(bounds.least_size)}};
}

Json certificate_json(const Model& model, const Bounds& bounds, double bias) {
  Json certificate = bounds_json(bounds);
  if (model.single()) certificate["bias"] = json_number(bias);
  if (model.exact_certificate && &bounds == &model.certificate) {
    certificate["exact"] = bounds_json(*model.exact_certificate);
  }
  return certificate;
}

Json weights_json(const Model& model) {
  Json weights = Json::array();
  const Vector in_views = weights_in_views(model);
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    const ModelKernel& kernel = model.kernels[m];
    weights.push_back({{"index", m},
                       {"kernel", kernel.description.name()},
                       {"function", kernel.description.function.text()},
                       {"view", kernel.description.view},
                       {"columns", kernel.description.columns.size()},
                       {"group", kernel.description.group},
                       {"normalization", kernel.description.normalization.text()},
                       {"weight", json_number(kernel.weight)},
                       {"weight_in_view", json_number(in_views[m])},
                       {"raw_weight", json_number(kernel.raw_weight())},
                       {"norm", json_number(kernel.norm)}});
    if (kernel.repair.rule != Repair::none) weights.back()["repair"] = repair_json(kernel.repair);
  }
  return weights;
}

Json settings_json(const ModelSettings& settings) {
  return {{"loss", loss_text(settings.loss)},
          {"regularizer", regularizer_text(settings.regularizer)},
          {"bias", settings.bias},
          {"C", settings.C},
          {"class_weights", settings.class_weights},
          {"solver", settings.solver},
          {"tolerance", settings.tolerance},
          {"seed", settings.seed}};
}

Json learned_json(const Model& model) {
  if (!model.single()) {
    return {{"target", model.of_labels() ? "labels" : target_name(model.target)},
            {"scheme", scheme_name(model.scheme)},
            {"sharing", model.coupling},
            {"names", model.names}};
  }
  Json classes = nullptr;
  if (model.target == Target::classes) {
    classes = {{"negative", model.names[0]}, {"positive", model.names[1]}};
  }
  return {{"target", target_name(model.target)}, {"classes", std::move(classes)}};
}

Json run_json(const TrainResult& result, const TrainOptions& options, const Dataset& data,
              const Context& context, const RunFacts& facts) {
  const Model& model = result.model;
  Json run = run_head(result, facts);
  if (!model.single()) run["svm_solves"] = result.svm_solves;
  run.update(learned_json(model));
  const std::vector<Index>& counts = facts.samples_per_name;
  if (model.of_targets()) {
    // Every sample has every number.
  } else if (!model.single()) {
    run["n_samples_of_name"] = counts;
  } else if (!counts.empty()) {
    run["classes"]["n_negative"] = counts[0];
    run["classes"]["n_positive"] = counts[1];
  }
  run["settings"] = run_settings_json(options, model, context, facts);
  run["data"] = data_json(data, facts);
  run["weights"] = weights_json(model);
  run.update(product_json(model));
  if (!model.single()) run["tasks"] = counted_tasks(model, counts);
  if (!model.calibration.empty()) run["calibration"] = calibration_json(model);
  run["similarity"] = similarity_json(result);
  run["history"] = history_json(result);
  run["plan"] = plan_json(result.plan);
  run["warnings"] = warnings_json(result.warnings);
  run["log"] = facts.log;
  return run;
}

}  // namespace kernmix::documents
