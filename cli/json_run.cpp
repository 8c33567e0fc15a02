#include "json_run.hpp"

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

Json history_json(const std::vector<Iteration>& history) {
  Json list = Json::array();
  for (const Iteration& row : history) {
    list.push_back({{"number", row.number},
                    {"step", row.step},
                    {"primal", json_number(row.primal)},
                    {"dual", json_number(row.dual)},
                    {"relative_gap", json_number(row.relative_gap)},
                    {"seconds", row.seconds},
                    {"bank_passes", row.bank_passes},
                    {"inner_iterations", row.inner_iterations},
                    {"active_kernels", row.active_kernels}});
  }
  return list;
}

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
  settings["kernels"] = options.kernels;
  settings["scale"] = scaling_name(options.scaling);
  settings["normalize"] = options.normalization.text();
  settings["sample_weight"] = facts.sample_weight;
  settings["threads"] = context.threads;
  settings["memory_bytes"] = context.memory_bytes;
  return settings;
}

}  // namespace

Json certificate_json(const Certificate& certificate) {
  return {{"primal", json_number(certificate.primal)},
          {"dual", json_number(certificate.dual)},
          {"gap", json_number(certificate.gap)},
          {"relative_gap", json_number(certificate.relative_gap())},
          {"inner_gap", json_number(certificate.inner_gap)},
          {"outer_gap", json_number(certificate.outer_gap)},
          {"bias", json_number(certificate.bias)}};
}

Json weights_json(const Model& model) {
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

Json classes_json(const Model& model) {
  if (model.target != Target::classes) return nullptr;
  return {{"negative", model.classes.negative}, {"positive", model.classes.positive}};
}

Json run_json(const TrainResult& result, const TrainOptions& options, const Dataset& data,
              const Context& context, const RunFacts& facts) {
  const Model& model = result.model;
  Json run = {{"version", KERNMIX_VERSION},
              {"command", "train"},
              {"model", facts.model_file},
              {"status", status_name(result.solution.status)}};
  run.update(certificate_json(model.certificate));
  run["tolerance"] = options.solver.tolerance;
  run["iterations"] = result.solution.history.size();
  run["inner_iterations"] = result.solution.inner_iterations;
  run["bank_passes"] = result.solution.bank_passes;
  run["seconds"] = {{"read", facts.read_seconds},
                    {"kernels", result.seconds.kernels},
                    {"solve", result.seconds.solve},
                    {"certify", result.seconds.certify},
                    {"total", facts.total_seconds}};
  run["peak_memory_bytes"] = peak_memory_bytes();
  run["n_samples"] = model.training_samples;
  run["n_kernels"] = model.kernels.size();
  Index used = 0;
  for (const ModelKernel& kernel : model.kernels) used += kernel.weight > 0.0 ? 1 : 0;
  run["n_kernels_used"] = used;
  run["n_support"] = model.support.size();
  run["bias"] = json_number(model.bias);
  run["target"] = target_name(model.target);
  run["classes"] = classes_json(model);
  if (model.target == Target::classes) {
    run["classes"]["n_negative"] = facts.samples_per_class[0];
    run["classes"]["n_positive"] = facts.samples_per_class[1];
  }
  run["settings"] = run_settings_json(options, model.settings, context, facts);
  run["data"] = data_json(data, facts);
  run["weights"] = weights_json(model);
  run["history"] = history_json(result.solution.history);
  run["plan"] = plan_json(result.plan);
  run["log"] = facts.log;
  return run;
}

}  // namespace kernmix::cli
