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

/// Claim `support`: the value of one support vector, and of its row.
void compare_value(Claims& claims, const Model& model, const TrainingData& found, Index s, Index j,
                   double own, double value) {
  if (own == value || (std::isnan(own) && std::isnan(value))) return;
  claims.compare("support",
                 fmt::format("column '{}' of support vector {}, sample {} of the data,",
                             model.columns[to_size(j)], s + 1, found.rows[to_size(s)] + 1),
                 own, value, 0.0);
}

/// The same of all values of sparse rows.
void compare_entries(Claims& claims, const Model& model, const TrainingData& found,
                     const FeatureColumns& support, const std::vector<Index>& read,
                     const Context& context) {
  std::vector<Index> places;
  for (const Index j : read) {
    places.push_back(found.kernels.features.place(model.columns[to_size(j)]));
  }
  const std::vector<Index> all = all_samples(length(model.support));
  constexpr Index at_once = 1024;
  for (Index begin = 0; begin < length(all); begin += at_once) {
    stop_if_asked(context);
    const Index end = std::min(begin + at_once, length(all));
    const SparseMatrix own = support.sparse_at(slice(all, begin, end), read);
    const SparseMatrix given =
        found.kernels.features.sparse_at(slice(found.rows, begin, end), places);
    for (Index r = 0; r < own.rows; ++r) {
      const auto left = own.columns_of(r);
      const auto right = given.columns_of(r);
      std::size_t a = 0;
      std::size_t b = 0;
      while (a < left.size() || b < right.size()) {
        const bool in_own = b == right.size() || (a < left.size() && left[a] <= right[b]);
        const bool in_given = a == left.size() || (b < right.size() && right[b] <= left[a]);
        const Index j = read[to_size(in_own ? left[a] : right[b])];
        compare_value(claims, model, found, begin + r, j, in_own ? own.values_of(r)[a] : 0.0,
                      in_given ? given.values_of(r)[b] : 0.0);
        a += in_own ? 1 : 0;
        b += in_given ? 1 : 0;
      }
    }
  }
}

/// Claim `support`: support vectors have exactly the values of their rows.
void check_values(Claims& claims, const Model& model, const TrainingData& found,
                  const Context& context) {
  const FeatureColumns& features = found.kernels.features;
  const FeatureColumns support = support_columns(model);
  const std::unordered_set<std::string_view> names(features.names().begin(),
                                                   features.names().end());
  std::vector<Index> read;
  for (Index j = 0; j < length(model.columns); ++j) {
    const std::string& name = model.columns[to_size(j)];
    if (names.contains(name)) {
      read.push_back(j);
    } else {
      claims.require("support", false, fmt::format("no kernel reads the column '{}'", name));
    }
  }
  if (features.is_sparse() && support.is_sparse()) {
    return compare_entries(claims, model, found, support, read, context);
  }
  for (const Index j : read) {
    stop_if_asked(context);
    const Index column = features.place(model.columns[to_size(j)]);
    for (Index s = 0; s < length(model.support); ++s) {
      compare_value(claims, model, found, s, j, support.given(s, j),
                    features.given(found.rows[to_size(s)], column));
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
                           FittingRules rules, const Context& context) {
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
                            sample_counts(model), as_trained, rules);
  } catch (const ParameterError& error) {
    throw DataError(fmt::format("the model's kernels: {}", error.what()));
  }
}

/// Whether divisors and filled values of the model are those of a fit.
bool is_scaled_by(const FeatureColumns& features, const Model& model) {
  const Scaling& fitted = features.scaling();
  const std::unordered_set<std::string_view> read(features.names().begin(), features.names().end());
  const auto differ = [](double a, double b) { return std::abs(a - b) > 1e-9 * std::abs(b); };
  for (std::size_t j = 0; j < model.columns.size(); ++j) {
    if (!read.contains(model.columns[j])) continue;
    const std::size_t place = to_size(features.place(model.columns[j]));
    if (differ(model.scaling.divisor[j], fitted.divisor[place])) return false;
    if (model.scaling.fill.empty() || fitted.fill.empty()) continue;
    if (differ(model.scaling.fill[j], fitted.fill[place])) return false;
  }
  return true;
}

/// The kernels under the rules of scaling that the model was trained with.
TrainingKernels kernels_as_trained(const Model& model, const Table& table,
                                   const std::vector<MatrixView>& matrices,
                                   const std::vector<Index>& rows, FittingRules& rules,
                                   const Context& context) {
  rules = FittingRules::present;
  TrainingKernels kernels = kernels_of(model, table, matrices, rows, rules, context);
  if (is_scaled_by(kernels.features, model)) return kernels;
  TrainingKernels former =
      kernels_of(model, table, matrices, rows, FittingRules::of_version_0_1, context);
  if (!is_scaled_by(former.features, model)) return kernels;
  rules = FittingRules::of_version_0_1;
  return former;
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
  FittingRules rules = FittingRules::present;
  TrainingKernels kernels = kernels_as_trained(model, data.table, matrices, rows, rules, context);
  const auto agrees = [&](Zeros zeros) {
    return fingerprint(targets, kernels, model.sample_weights, context, zeros) ==
           model.training_hash;
  };
  const bool same = agrees(Zeros::alike) || agrees(Zeros::signed_zeros);
  claims.require("data", same,
                 "the fingerprint of targets, columns, matrices and sample weights is not that of "
                 "the training data");
  if (!same) return std::nullopt;
  claims.open("support");
  TrainingData found{rows, std::move(kernels)};
  found.rules = rules;
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
  if (claims.holds("support")) check_values(claims, model, found, context);
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
