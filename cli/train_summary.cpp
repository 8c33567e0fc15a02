#include "train_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "layout.hpp"

namespace kernmix::cli {
namespace {

/// "398  (250 benign, 148 malignant)", "1030  (targets from 2.33 to 82.6)", "300".
std::string samples_text(const Model& model, const Table& table, const RunFacts& facts) {
  const Index n = model.training_samples;
  if (model.target == Target::none) return fmt::format("{}", n);
  if (model.target == Target::classes) {
    return fmt::format("{}  ({} {}, {} {})", n, facts.samples_per_class[0], model.classes.negative,
                       facts.samples_per_class[1], model.classes.positive);
  }
  const Vector y = numbers_of(table.labels);
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  return fmt::format("{}  (targets from {:g} to {:g})", n, *least, *most);
}

}  // namespace

std::string top_weights(const ModelBasis& model, std::size_t limit) {
  std::vector<std::size_t> order(model.kernels.size());
  std::iota(order.begin(), order.end(), 0);
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
  return aligned(rows, true);
}

std::string summary_table(const ModelBasis& model, Index support, const Bounds& bounds,
                          Status status, Index iterations, const std::string& samples,
                          const std::vector<Row>& more, const Table& table, const RunFacts& facts) {
  const auto used = std::count_if(model.kernels.begin(), model.kernels.end(),
                                  [](const ModelKernel& kernel) { return kernel.weight > 0.0; });
  std::vector<Row> rows = {
      {"status", status_name(status)},
      {"primal", fmt::format("{:.8g}", bounds.primal)},
      {"dual", fmt::format("{:.8g}", bounds.dual)},
      {"relative gap",
       fmt::format("{:.2e}  (tolerance {:g})", bounds.relative_gap(), model.settings.tolerance)},
      {"iterations", fmt::format("{}  ({})", iterations, model.settings.solver)},
      {"samples", samples},
      {"support", fmt::format("{}", support)},
      {"kernels used", fmt::format("{} of {}", used, model.kernels.size())}};
  rows.insert(rows.end(), more.begin(), more.end());
  rows.push_back({"time", readable_seconds(facts.total_seconds)});
  rows.push_back({"model", facts.model_file});
  if (table.unmatched > 0) {
    rows.push_back(
        {"unmatched", fmt::format("{} samples were left out: not in every file", table.unmatched)});
  }
  return aligned(rows);
}

std::string warning_lines(const std::vector<Warning>& warnings) {
  std::string lines;
  for (const Warning& warning : warnings) {
    lines +=
        "\n" + wrapped(fmt::format("warning: {} [{}]", warning.message, warning.code), 100) + "\n";
  }
  return lines;
}

std::string train_summary(const TrainResult& result, const Table& table, const RunFacts& facts) {
  const Model& model = result.model;
  return summary_table(model, support_vectors(model), model.certificate, result.solution.status,
                       length(result.solution.history), samples_text(model, table, facts), {},
                       table, facts) +
         "\n" + top_weights(model, 10) + warning_lines(result.warnings);
}

}  // namespace kernmix::cli
