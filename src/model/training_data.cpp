#include "model/training_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "model/fingerprint.hpp"
#include "model/task_basis.hpp"

namespace kernmix {
namespace {

/// The row of each support vector in `table`: by sample id where both sides have ids.
std::optional<std::vector<Index>> support_rows(const ModelBasis& model, const Table& table) {
  if (model.support_ids.empty() || table.ids.empty()) return model.support;
  std::unordered_map<std::string, Index> row;
  for (std::size_t i = 0; i < table.ids.size(); ++i) row[table.ids[i]] = static_cast<Index>(i);
  std::vector<Index> rows;
  for (const std::string& id : model.support_ids) {
    const auto found = row.find(id);
    if (found == row.end()) return std::nullopt;
    rows.push_back(found->second);
  }
  return rows;
}

/// Do the support vectors of the model have the values of these rows, bit by bit?
bool same_values(const ModelBasis& model, const FeatureColumns& features,
                 const std::vector<Index>& rows) {
  for (Index s = 0; s < model.support_values.rows; ++s) {
    for (Index j = 0; j < model.support_values.cols; ++j) {
      const auto column = features.place(model.columns[static_cast<std::size_t>(j)]);
      const double value =
          features.raw()(rows[static_cast<std::size_t>(s)], static_cast<Index>(column));
      if (value != model.support_values(s, j)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<TrainingData> find_training_data(const ModelBasis& model, const Dataset& data,
                                               const Matrix& targets, const Context& context) {
  auto rows = support_rows(model, data.table);
  if (!rows || targets.rows != model.training_samples) return std::nullopt;
  const auto matrices = match_matrices(model.matrices, data.matrices);
  TrainingData found{std::move(*rows),
                     training_kernels(data.table, matrices, kernel_descriptions(model),
                                      model.scaling.rule, context)};
  const bool same =
      fingerprint(targets, found.kernels, model.sample_weights) == model.training_hash &&
      same_values(model, found.kernels.features, found.rows);
  if (!same) return std::nullopt;
  return found;
}

Vector on_training_rows(ConstSpan values, const std::vector<Index>& rows, Index n) {
  Vector all(static_cast<std::size_t>(n), 0.0);
  for (std::size_t s = 0; s < rows.size(); ++s) all[static_cast<std::size_t>(rows[s])] = values[s];
  return all;
}

double certificate_difference(const Bounds& left, const Bounds& right) {
  const double largest =
      std::max({std::abs(left.primal - right.primal), std::abs(left.dual - right.dual),
                std::abs(left.gap - right.gap)});
  return largest / std::max(std::abs(left.primal), std::numeric_limits<double>::min());
}

}  // namespace kernmix
