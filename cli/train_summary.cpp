#include "train_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "json_run.hpp"
#include "landmark_text.hpp"
#include "layout.hpp"
#include "product_text.hpp"
#include "repair_text.hpp"
#include "scaling_text.hpp"
#include "tasks.hpp"
#include "views_text.hpp"

namespace kernmix::cli {
namespace {

/// "  (39 first, 47 second, 32 third)", or empty for many classes.
std::string class_counts(const Model& model, const RunFacts& facts) {
  constexpr std::size_t most_classes = 10;
  if (model.names.size() > most_classes) return "";
  std::string counts;
  for (std::size_t k = 0; k < model.names.size(); ++k) {
    counts += fmt::format("{}{} {}", k > 0 ? ", " : "", facts.samples_per_name[k], model.names[k]);
  }
  return "  (" + counts + ")";
}

/// "398  (positive: 148 malignant, negative: 250 benign)", "118  (39 first, 47 second, 32
/// third)", "1030  (targets from 2.33 to 82.6)", "300".
std::string samples_text(const Model& model, const Table& table, const RunFacts& facts) {
  const Index n = model.training_samples;
  if (model.classes_compete()) return fmt::format("{}{}", n, class_counts(model, facts));
  if (!model.single() || model.target == Target::none) return fmt::format("{}", n);
  if (model.target == Target::classes) {
    return fmt::format("{}  (positive: {} {}, negative: {} {})", n, facts.samples_per_name[1],
                       model.names[1], facts.samples_per_name[0], model.names[0]);
  }
  const Vector y = table.targets.empty() ? numbers_of(table.labels) : table.targets.values.values;
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  return fmt::format("{}  (targets from {:g} to {:g})", n, *least, *most);
}

/// With the remedy of a run that stopped before its tolerance.
std::string status_text(Status status) {
  const std::string name = status_name(status);
  switch (status) {
    case Status::iteration_limit:
      return name + "  (allow more with --max-iterations)";
    case Status::time_limit:
      return name + "  (allow more with --time-limit)";
    case Status::stopping_rule:
      return name + "  (of the solver: without it the certificate decides)";
    case Status::stalled:
      return name +
             "  (no step reduces the gap, mostly because of rounding: use a larger --tolerance, "
             "a smaller C, --scale standard or --solver auto)";
    default:
      return name;
  }
}

/// The unit of the count of inner solves.
std::string solved_text(const Model& model) {
  return model.scheme == TaskScheme::joint ? "all classes at once"
                                           : fmt::format("{} tasks", model.tasks.size());
}

std::string top_weights(const Model& model, std::size_t limit) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, model.kernels.size());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return model.kernels[left].norm > model.kernels[right].norm;
  });
  std::vector<Row> rows = {{"weight", "norm", "kernel"}};
  for (const std::size_t m : order) {
    const ModelKernel& kernel = model.kernels[m];
    if (rows.size() > limit || kernel.weight == 0.0) break;
    rows.push_back({fmt::format("{:.4g}", kernel.weight), fmt::format("{:.4g}", kernel.norm),
                    kernel.description.name()});
  }
  const bool all = length(rows) - 1 == kernels_used(model);
  return aligned(rows, true) +
         (all ? ""
              : fmt::format("These {} kernels have the largest norms; --json has all.\n", limit));
}

std::string summary_table(const TrainResult& result, const Dataset& data, const RunFacts& facts) {
  const Model& model = result.model;
  const Bounds& bounds = model.certificate;
  const Index used = kernels_used(model);
  std::vector<Row> rows = {
      {"status", status_text(result.status)},
      {"primal", fmt::format("{:.8g}", bounds.primal)},
      {"dual", fmt::format("{:.8g}", bounds.dual)},
      {"relative gap",
       fmt::format("{:.2e}  (tolerance {:g})", bounds.relative_gap(), model.settings.tolerance)},
      {"iterations", fmt::format("{}  ({})", iterations_of(result), model.settings.solver)},
      {"samples", samples_text(model, data.table, facts)},
      {"views", views_text(data)},
      {"support", fmt::format("{}", support_vectors(model))},
      {"kernels used", fmt::format("{} of {}", used, model.kernels.size())}};
  std::ranges::move(landmark_rows(model), std::back_inserter(rows));
  std::ranges::move(product_rows(model), std::back_inserter(rows));
  if (!model.views.empty()) rows.push_back({"scaling", scaling_text(model.views)});
  if (has_repair(model)) rows.push_back({"repair", repair_text(model)});
  if (!model.single()) {
    rows.push_back({"learned", tasks_text(model)});
    rows.push_back(
        {"inner solves", fmt::format("{}  (of {})", result.svm_solves, solved_text(model))});
  }
  if (!model.calibration.empty()) rows.push_back({"calibrated", calibration_text(model)});
  rows.push_back({"time", readable_seconds(facts.total_seconds)});
  rows.push_back({"model", facts.model_file});
  return aligned(rows);
}

}  // namespace

std::string warning_lines(const std::vector<Warning>& warnings) {
  std::string lines;
  for (const Warning& warning : warnings) {
    if (warning.code == "landmarks") continue;  // said when training began
    lines +=
        "\n" + wrapped(fmt::format("warning: {} [{}]", warning.message, warning.code), 100) + "\n";
  }
  return lines;
}

std::string train_summary(const TrainResult& result, const Dataset& data, const RunFacts& facts) {
  const Model& model = result.model;
  return summary_table(result, data, facts) + "\n" +
         (model.single() ? "" : tasks_table(model, 10) + "\n") +
         (model.product ? factors_table(*model.product, 10) : top_weights(model, 10)) +
         warning_lines(result.warnings);
}

}  // namespace kernmix::cli
