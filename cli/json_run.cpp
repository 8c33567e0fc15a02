#include "json_run.hpp"

#include <cmath>

#include "kernmix/version.hpp"
#include "memory.hpp"

namespace kernmix::cli {
namespace {

/// JSON has no infinity: absent values and thresholds at infinity are null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

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
                    {"primal", number(row.primal)},
                    {"dual", number(row.dual)},
                    {"relative_gap", number(row.relative_gap)},
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
  return {{"primal", number(certificate.primal)},
          {"dual", number(certificate.dual)},
          {"gap", number(certificate.gap)},
          {"relative_gap", number(certificate.relative_gap())},
          {"inner_gap", number(certificate.inner_gap)},
          {"outer_gap", number(certificate.outer_gap)},
          {"bias", number(certificate.bias)}};
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
                       {"weight", number(kernel.weight)},
                       {"raw_weight", number(kernel.raw_weight())},
                       {"norm", number(kernel.norm)}});
  }
  return weights;
}

Json settings_json(const ModelSettings& settings) {
  Json class_weights = Json::array();
  for (const double weight : settings.class_weights) class_weights.push_back(weight);
  return {{"loss", settings.loss},     {"regularizer", settings.regularizer},
          {"C", settings.C},           {"class_weights", std::move(class_weights)},
          {"solver", settings.solver}, {"tolerance", settings.tolerance},
          {"seed", settings.seed}};
}

Json evaluation_json(const Evaluation& evaluation) {
  Json metrics = Json::array();
  for (const Metric& metric : evaluation.metrics) {
    metrics.push_back({{"name", metric.name},
                       {"value", number(metric.value)},
                       {"low", number(metric.low)},
                       {"high", number(metric.high)}});
  }
  Json roc = Json::array();
  for (const RocPoint& point : evaluation.roc) {
    roc.push_back({{"fpr", point.false_positive_rate},
                   {"tpr", point.true_positive_rate},
                   {"threshold", number(point.threshold)}});
  }
  const Confusion& counts = evaluation.confusion;
  return {{"n_samples", evaluation.samples},
          {"n_positive", evaluation.positives},
          {"metrics", std::move(metrics)},
          {"confusion",
           {{"true_positive", counts.true_positive},
            {"false_positive", counts.false_positive},
            {"true_negative", counts.true_negative},
            {"false_negative", counts.false_negative}}},
          {"roc", std::move(roc)}};
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
  run["bias"] = number(model.bias);
  run["classes"] = {{"negative", model.classes.negative},
                    {"positive", model.classes.positive},
                    {"n_negative", facts.samples_per_class[0]},
                    {"n_positive", facts.samples_per_class[1]}};
  run["settings"] = run_settings_json(options, model.settings, context, facts);
  run["data"] = data_json(data, facts);
  run["weights"] = weights_json(model);
  run["history"] = history_json(result.solution.history);
  run["plan"] = plan_json(result.plan);
  run["log"] = facts.log;
  return run;
}

}  // namespace kernmix::cli
