#include "selection/rows.hpp"

#include "base/samples.hpp"
#include "model/targets.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {

Prediction prediction_at(const Prediction& all, const std::vector<Index>& rows) {
  Prediction part;
  part.decision = rows_at(all.decision, rows);
  if (all.probability.rows > 0) part.probability = rows_at(all.probability, rows);
  part.winner = entries_at(all.winner, rows);
  if (all.has_label.empty()) return part;
  const auto labels = static_cast<std::size_t>(all.decision.cols);
  for (const Index i : rows) {
    const auto first = all.has_label.begin() + static_cast<Index>(to_size(i) * labels);
    part.has_label.insert(part.has_label.end(), first, first + all.decision.cols);
  }
  return part;
}

Table truth_at(const Table& table, const std::vector<Index>& rows) {
  Table truth;
  truth.source = table.source;
  truth.labels = entries_at(table.labels, rows);
  truth.label_type = table.label_type;
  truth.inlier = inlier_of(table);
  truth.multi_labels =
      labels_at(table.multi_labels, rows, index_range(0, length(table.multi_labels.names)));
  if (table.targets.empty()) return truth;
  truth.targets = {table.targets.names, rows_at(table.targets.values, rows)};
  return truth;
}

}  // namespace kernmix
