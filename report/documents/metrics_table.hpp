#pragma once
/// \file
/// Metrics for people.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/metrics.hpp"

namespace kernmix::documents {

/// Four significant digits; empty where there is no value.
[[nodiscard]] std::string metric_cell(const std::optional<double>& value);

/// A line for each metric: its value and its interval.
[[nodiscard]] std::string metrics_table(const std::vector<Metric>& metrics);

}  // namespace kernmix::documents
