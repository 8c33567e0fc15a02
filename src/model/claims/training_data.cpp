#include "model/claims/training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/samples.hpp"
#include "model/check.hpp"
#include "model/file/fingerprint.hpp"
#include "model/kernel_choice.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix {
namespace {

/// If both have ids, samples may be in another order.
bool by_id(const Model& model, const Table& table) {
  return !model.support_ids.empty() && !table.ids.empty();
}

/// The row of each of these samples in `table`; claim `support` if one is missing.
std::vector<Index> rows_of_ids(Claims& claims, const std::vector<std::string>& ids,
                               const Table& table) {
  std::unordered_map<std::string, Index> row;
  for (std::size_t i = 0; i < table.ids.size(); ++i) row[table.ids[i]] = static_cast<Index>(i);
  std::vector<Index> rows;
  for (const std::string& id : ids) {
    const auto found = row.find(id);
    const bool known = found != row.end();
    claims.require("support", known, fmt::format("the data has no sample '{}'", id));
    rows.push_back(known ? found->second : 0);
  }
  return rows;
}

std::vector<Index> support_rows(Claims& claims, const Model& model, const Table& table) {
  return by_id(model, table) ? rows_of_ids(claims, model.support_ids, table) : model.support;
}

/// TrainingData::row_of_dual for samples in another order than in training.
std::vector<Index> dual_places(Claims& claims, const Model& model, const Table& table) {
  const std::vector<Index> known = dual_rows(model);
  const std::vector<Index> rows = rows_of_ids(claims, model.landmarks->dual_ids, table);
  std::vector<Index> places(to_size(model.training_samples), 0);
  for (std::size_t k = 0; k < known.size(); ++k) places[to_size(known[k])] = rows[k];
  return places;
}

/// Claim `support`: support vectors have exactly the values of their rows.
void check_values(Claims& claims, const Model& model, const TrainingData& found) {
  const FeatureColumns& features = found.kernels.features;
  const FeatureColumns support = support_columns(model);
  const std::unordered_set<std::string_view> read(features.names().begin(), features.names().end());
  for (Index j = 0; j < length(model.columns); ++j) {
    const std::string& name = model.columns[to_size(j)];
    if (!read.contains(name)) {
      claims.require("support", false, fmt::format("no kernel reads the column '{}'", name));
      continue;
    }
    const Index column = features.place(name);
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (Index s = 0; s < length(model.support); ++s) {
      const Index row = found.rows[to_size(s)];
      const double value = features.given(row, column);
      const double own = support.given(s, j);
      if (same(own, value)) continue;
      claims.compare("support",
                     fmt::format("column '{}' of support vector {}, sample {} of the data,", name,
                                 s + 1, row + 1),
                     own, value, 0.0);
    }
  }
}

/// The requested kernels, centred if training stored them relative to their mean: this decision may
/// depend on rounding.
std::vector<KernelDescription> as_fitted(const Model& model) {
  std::vector<KernelDescription> kernels = descriptions_of(model.kernels);
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const bool about_origin = presence_in(model, kernels[m].view) != nullptr;
    if (!about_origin) kernels[m].normalization = model.kernels[m].normalization.rule;
  }
  return kernels;
}

/// \throws DataError for parameters that options do not allow, as in a damaged file
TrainingKernels kernels_of(const Model& model, const Table& table,
                           const std::vector<MatrixView>& matrices, const std::vector<Index>& rows,
                           const Context& context) {
  Presences lacking;
  for (const ModelPresence& own : model.presences) {
    lacking.push_back({own.view, nullptr, entries_at(rows, own.origin)});
    std::ranges::sort(lacking.back().origin);
  }
  Context as_trained = context;
  as_trained.seed = model.settings.seed;
  try {
    return training_kernels(table, matrices, as_fitted(model), model.views,
                            parse_missing_rule(model.settings.missing), lacking,
                            sample_counts(model), as_trained);
  } catch (const ParameterError& error) {
    throw DataError(fmt::format("the model's kernels: {}", error.what()));
  }
}

}  // namespace

std::optional<TrainingData> find_training_data(Claims& claims, const Model& model,
                                               const Dataset& data, const Matrix& targets,
                                               const Context& context) {
  claims.open("data");
  if (targets.rows != model.training_samples) {
    claims.compare("data", "the number of training samples",
                   static_cast<double>(model.training_samples), static_cast<double>(targets.rows),
                   0.0);
    return std::nullopt;
  }
  check_categories(model, data.table);
  const auto matrices = match_matrices(model.matrices, data.matrices);
  const std::vector<Index> rows = support_rows(claims, model, data.table);
  TrainingKernels kernels = kernels_of(model, data.table, matrices, rows, context);
  const auto agrees = [&](Zeros zeros) {
    return fingerprint(targets, kernels, model.sample_weights, zeros) == model.training_hash;
  };
  const bool same = agrees(Zeros::alike) || agrees(Zeros::signed_zeros);
  claims.require("data", same,
                 "the fingerprint of targets, columns, matrices and sample weights is not that of "
                 "the training data");
  if (!same) return std::nullopt;
  claims.open("support");
  TrainingData found{rows, std::move(kernels)};
  const bool placed = found.rows == model.support;
  // Without ids of the dual variables these are those of the rows.
  const bool named = model.landmarks && !model.landmarks->dual_ids.empty();
  claims.require("data", placed || !model.landmarks || named,
                 "the samples are in another order than in training, and the model has no ids of "
                 "its dual variables: give the samples in the order of training");
  if (!claims.holds("data")) return std::nullopt;
  // Matrices have a column for each training sample, in their order.
  claims.require("support", placed || model.matrices.empty(),
                 "the rows of the support vectors are not those of their ids");
  if (claims.holds("support")) check_values(claims, model, found);
  if (!claims.holds("support")) return std::nullopt;
  found.landmarks = model.landmarks.has_value();
  if (!found.landmarks) return found;
  if (named && !data.table.ids.empty()) found.row_of_dual = dual_places(claims, model, data.table);
  if (!claims.holds("support")) return std::nullopt;
  use_landmarks(found.rows, found.kernels, context);
  return found;
}

Vector on_training_rows(ConstSpan values, const std::vector<Index>& rows, Index n) {
  Vector all(to_size(n), 0.0);
  for (std::size_t s = 0; s < rows.size(); ++s) all[to_size(rows[s])] = values[s];
  return all;
}

}  // namespace kernmix
