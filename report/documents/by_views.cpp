#include "by_views.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "findings.hpp"
#include "kernmix/error.hpp"

namespace kernmix::documents {
namespace {

Matrix rows_of(const Matrix& matrix, const std::vector<Index>& rows) {
  Matrix some(matrix.rows == 0 ? 0 : length(rows), matrix.cols);
  for (Index r = 0; r < some.rows; ++r) {
    const ConstSpan row = matrix.row(rows[to_size(r)]);
    std::copy(row.begin(), row.end(), some.row(r).begin());
  }
  return some;
}

template <typename T>
std::vector<T> items_of(const std::vector<T>& all, const std::vector<Index>& rows, Index width) {
  std::vector<T> some;
  if (all.empty()) return some;
  for (const Index i : rows) {
    for (Index t = 0; t < width; ++t) some.push_back(all[to_size(i * width + t)]);
  }
  return some;
}

/// What findings need of some samples.
Table part_of_table(const Table& table, const std::vector<Index>& rows) {
  Table part;
  part.source = table.source;
  part.labels = items_of(table.labels, rows, 1);
  part.label_type = table.label_type;
  part.inlier = table.inlier;
  const Index T = length(table.multi_labels.names);
  part.multi_labels = {table.multi_labels.names, items_of(table.multi_labels.values, rows, T)};
  part.targets = {table.targets.names, rows_of(table.targets.values, rows)};
  part.values.rows = length(rows);
  return part;
}

Prediction part_of_prediction(const Prediction& all, const std::vector<Index>& rows) {
  Prediction part;
  part.task_decision = rows_of(all.task_decision, rows);
  part.decision = rows_of(all.decision, rows);
  part.probability = rows_of(all.probability, rows);
  part.winner = items_of(all.winner, rows, 1);
  part.has_label = items_of(all.has_label, rows, all.decision.cols);
  return part;
}

/// The metrics of some samples; null where these do not allow any, such as samples of one class.
Json metrics_of(const Model& model, const Table& table, const Prediction& prediction,
                const std::string& inlier, const Vector& weights) {
  try {
    return findings_of(model, table, prediction, inlier, weights).document["metrics"];
  } catch (const Error&) {
    return nullptr;
  }
}

std::string first_metric(const Json& metrics) {
  if (!metrics.is_array() || metrics.empty() || !metrics[0]["value"].is_number()) return "-";
  return fmt::format("{} {:.4f}", metrics[0]["name"].get<std::string>(),
                     metrics[0]["value"].get<double>());
}

}  // namespace

Findings findings_by_views(const Model& model, const Table& table, const Prediction& prediction,
                           const std::string& inlier, ConstSpan weights) {
  Findings found{"", Json::array()};
  std::map<std::string, std::vector<Index>> samples;
  for (Index i = 0; i < length(prediction.views); ++i) {
    samples[prediction.views[to_size(i)]].push_back(i);
  }
  if (samples.empty()) return found;
  found.text = "\nBy the views of the samples:\n";
  const Vector all(weights.begin(), weights.end());
  for (const auto& [views, rows] : samples) {
    Json metrics = metrics_of(model, part_of_table(table, rows),
                              part_of_prediction(prediction, rows), inlier, items_of(all, rows, 1));
    found.text += fmt::format("  {}: {} samples, {}\n", views, rows.size(), first_metric(metrics));
    found.document.push_back(
        {{"views", views}, {"n_samples", rows.size()}, {"metrics", std::move(metrics)}});
  }
  return found;
}

}  // namespace kernmix::documents
