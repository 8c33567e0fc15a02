#include "json_run.hpp"

#include <algorithm>

#include "kernmix/bank/plan.hpp"
#include "kernmix/version.hpp"
#include "memory.hpp"

namespace kernmix::cli {
namespace {

const char* storage_name(StorageKind kind) {
  switch (kind) {
    case StorageKind::packed32:
      return "packed32";
    case StorageKind::packed64:
      return "packed64";
    case StorageKind::factor:
      return "factor";
  }
  return "unknown";
}

}  // namespace

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
          {"kernels", std::move(kernels)}};
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json all = Json::array();
  for (const Warning& warning : warnings) {
    all.push_back({{"code", warning.code}, {"message", warning.message}});
    if (!warning.kernels.empty()) all.back()["kernels"] = warning.kernels;
  }
  return all;
}

Json data_json(const Dataset& data, const RunFacts& facts) {
  Json views = Json::array();
  for (const View& view : data.views) {
    views.push_back({{"name", view.name}, {"kind", "features"}, {"columns", view.columns}});
  }
  for (const MatrixView& view : data.matrices) {
    views.push_back({{"name", view.name},
                     {"kind", view.kind == KernelInput::gram ? "gram" : "distance"},
                     {"columns", Json::array()}});
  }
  return {{"files", facts.files},
          {"label", facts.label},
          {"id", facts.id},
          {"n_columns", data.table.columns.size()},
          {"unmatched", facts.unmatched},
          {"views", std::move(views)}};
}

Json run_settings_json(const TrainOptions& options, const ModelSettings& used,
                       const Context& context, const RunFacts& facts) {
  Json settings = settings_json(used);
  settings["solver_asked"] = options.solver.solver;
  settings["max_iterations"] = options.solver.max_iterations;
  settings["without"] = options.solver.without;
  settings["kernels"] = options.kernels;
  settings["scale"] = scaling_name(options.scaling);
  settings["normalize"] = options.normalization.text();
  settings["assume_psd"] = options.assume_psd;
  settings["sample_weight"] = facts.sample_weight;
  settings["threads"] = context.threads;
  settings["memory_bytes"] = context.memory_bytes;
  return settings;
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

Json certificate_json(const ModelCertificate& certificate) {
  Json bounds = bounds_json(certificate);
  bounds["bias"] = json_number(certificate.bias);
  return bounds;
}

Json weights_json(const ModelBasis& model) {
  Json weights = Json::array();
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
                       {"raw_weight", json_number(kernel.raw_weight())},
                       {"norm", json_number(kernel.norm)}});
  }
  return weights;
}

Json settings_json(const ModelSettings& settings) {
  return {{"loss", settings.loss},
          {"regularizer", settings.regularizer},
          {"bias", settings.bias},
          {"C", settings.C},
          {"class_weights", settings.class_weights},
          {"solver", settings.solver},
          {"tolerance", settings.tolerance},
          {"seed", settings.seed}};
}

Json learned_json(const Model& model) {
  Json classes = nullptr;
  if (model.target == Target::classes) {
    classes = {{"negative", model.classes.negative}, {"positive", model.classes.positive}};
  }
  return {{"target", target_name(model.target)}, {"classes", std::move(classes)}};
}

Json learned_json(const MultiModel& model) {
  return {{"target", model.of_labels() ? "labels" : "classes"},
          {"scheme", scheme_name(model.scheme)},
          {"sharing", model.sharing},
          {"names", model.names}};
}

Json run_head(const ModelBasis& model, Index support, Json bounds, const RunEffort& effort,
              const RunFacts& facts) {
  Json run = {{"version", KERNMIX_VERSION},
              {"command", "train"},
              {"model", facts.model_file},
              {"model_checksum", facts.model_checksum},
              {"status", status_name(effort.status)}};
  run.update(bounds);
  run["tolerance"] = model.settings.tolerance;
  run["iterations"] = effort.iterations;
  run["inner_iterations"] = effort.inner_iterations;
  run["bank_passes"] = effort.bank_passes;
  run["seconds"] = {{"read", facts.read_seconds},
                    {"kernels", effort.seconds.kernels},
                    {"solve", effort.seconds.solve},
                    {"certify", effort.seconds.certify},
                    {"total", facts.total_seconds}};
  run["peak_memory_bytes"] = peak_memory_bytes();
  run["n_samples"] = model.training_samples;
  run["n_kernels"] = model.kernels.size();
  run["n_kernels_used"] =
      std::count_if(model.kernels.begin(), model.kernels.end(),
                    [](const ModelKernel& kernel) { return kernel.weight > 0.0; });
  run["n_support"] = support;
  return run;
}

Json run_json(const TrainResult& result, const TrainOptions& options, const Dataset& data,
              const Context& context, const RunFacts& facts) {
  const Model& model = result.model;
  const Answer& solution = result.solution;
  Json run = run_head(model, support_vectors(model), certificate_json(model.certificate),
                      {solution.status, length(solution.history), solution.inner_iterations,
                       solution.bank_passes, result.seconds},
                      facts);
  run.update(learned_json(model));
  if (model.target == Target::classes) {
    run["classes"]["n_negative"] = facts.samples_per_class[0];
    run["classes"]["n_positive"] = facts.samples_per_class[1];
  }
  run["settings"] = run_settings_json(options, model.settings, context, facts);
  run["data"] = data_json(data, facts);
  run["weights"] = weights_json(model);
  Json& history = run["history"] = Json::array();
  for (const Iteration& row : solution.history) history.push_back(history_row(row));
  run["plan"] = plan_json(result.plan);
  run["warnings"] = warnings_json(result.warnings);
  run["log"] = facts.log;
  return run;
}

}  // namespace kernmix::cli
