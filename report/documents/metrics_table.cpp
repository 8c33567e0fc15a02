#include "metrics_table.hpp"

#include <fmt/format.h>

#include "layout.hpp"

namespace kernmix::documents {

std::string metric_cell(const std::optional<double>& value) {
  return value ? fmt::format("{:#.4g}", *value) : "";
}

std::string metrics_table(const std::vector<Metric>& metrics) {
  std::vector<Row> rows = {{"metric", "value", "low", "high"}};
  for (const Metric& metric : metrics) {
    rows.push_back({metric.name, metric_cell(metric.value), metric_cell(metric.low),
                    metric_cell(metric.high)});
  }
  return aligned(rows, true);
}

}  // namespace kernmix::documents
