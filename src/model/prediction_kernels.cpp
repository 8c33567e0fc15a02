#include "model/prediction_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/check.hpp"
#include "model/kernels/repairs.hpp"
#include "model/named_matrices.hpp"
#include "model/pipeline.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

std::vector<Index> rows_of(const MatrixView& view, const BothPresent& present) {
  return present.left ? present.left->samples() : all_samples(view.matrix.rows());
}

/// New samples x support vectors of a given matrix, which has a column for each training sample or
/// for each support vector.
/// \param present  the new samples and the support vectors that it has
GivenMatrix support_columns(const Model& model, const MatrixView& view,
                            const BothPresent& present) {
  const GivenMatrix& given = view.matrix;
  if (view.present && view.present->empty()) return Matrix(0, length(present.right->samples()));
  if (const auto named = named_support(model, view, present.right.get())) {
    return part_of_matrix(given, rows_of(view, present), *named);
  }
  const Index count = length(model.support);
  if (given.cols() == count) {
    if (!present.left) return given;
    return part_of_matrix(given, rows_of(view, present), present.right->samples());
  }
  if (given.cols() != model.training_samples) {
    throw DataError(
        fmt::format("matrix '{}' must have {} columns (training samples) or {} (support "
                    "vectors, in the order of the model), got {}",
                    view.name, model.training_samples, count, given.cols()));
  }
  const std::vector<Index> columns =
      present.left ? entries_at(model.support, present.right->samples()) : model.support;
  const std::vector<Index> rows = rows_of(view, present);
  auto chosen = std::make_shared<Matrix>(length(rows), length(columns));
  given.block(rows, columns, chosen->values);
  return chosen;
}

/// New samples x support vectors of a kernel of a given matrix.
KernelSourcePtr matrix_kernel(const Model& model, const ModelKernel& kernel, const MatrixView& view,
                              const BothPresent& present) {
  const KernelFunction& function = kernel.description.function;
  if (!kernel.repair.mixes_columns()) {
    return matrix_source(function, support_columns(model, view, present), {}, view.name);
  }
  if (view.matrix.cols() != model.training_samples) {
    throw DataError(fmt::format(
        "matrix '{}' must have {} columns, one for each training sample, got {}: its indefinite "
        "kernel was repaired ({}), which mixes them",
        view.name, model.training_samples, view.matrix.cols(), repair_name(kernel.repair.rule)));
  }
  const auto named = named_support(model, view, nullptr);
  const bool all = length(model.support) == model.training_samples;
  if (named && !(all && *named == model.support)) {
    throw DataError(fmt::format(
        "matrix '{}' has names of columns whose order cannot be checked: its indefinite kernel "
        "was repaired ({}), which mixes the columns of all training samples, and the model has "
        "the ids of its support vectors; give the columns in training order without names",
        view.name, repair_name(kernel.repair.rule)));
  }
  return repaired_source(matrix_source(function, view.matrix, {}, view.name), kernel.repair,
                         model.support);
}

/// The matrices that kernels with weight read.
std::vector<MatrixView> needed_matrices(const Model& model, const std::vector<Index>& kernels,
                                        const Dataset& data, const std::vector<View>& lacking) {
  const bool any = std::any_of(kernels.begin(), kernels.end(), [&](Index m) {
    return model.kernels[to_size(m)].description.from_matrix;
  });
  if (!any) return {};
  return match_matrices(model.matrices, data.matrices, lacking,
                        sample_count(data.table, data.matrices));
}

std::vector<View> views_of(const std::vector<ModelPresence>& presences) {
  std::vector<View> views;
  for (const ModelPresence& own : presences) views.push_back(own.view);
  return views;
}

/// All columns of a view: those that it shares with an earlier view are scaled there.
std::vector<std::string> columns_of_view(const Model& model, const ScaledView& view) {
  std::vector<std::string> columns = view.columns;
  std::set<std::string> seen(columns.begin(), columns.end());
  for (const ModelKernel& kernel : model.kernels) {
    if (kernel.description.view != view.view) continue;
    for (const std::string& column : kernel.description.columns) {
      if (seen.insert(column).second) columns.push_back(column);
    }
  }
  return columns;
}

/// The views with weight that each of n new samples has, joined by '+'.
std::vector<std::string> views_of_samples(const Model& model, const Presences& presences, Index n) {
  std::vector<std::string> names;  // in the order of the kernels
  for (const ModelKernel& kernel : model.kernels) {
    const std::string& view = kernel.description.view;
    if (kernel.weight > 0.0 && std::ranges::find(names, view) == names.end()) names.push_back(view);
  }
  std::vector<std::string> used(to_size(n));
  for (const std::string& name : names) {
    const PresentSamples* const present = samples_of(presence_of(name, presences));
    for (Index i = 0; i < n; ++i) {
      if (present != nullptr && present->place(i) < 0) continue;
      std::string& own = used[to_size(i)];
      own += (own.empty() ? "" : "+") + name;
    }
  }
  return used;
}

/// Means, weights and origin of the present support vectors from those of all.
void restrict_to(const PresentSamples& present, const std::vector<Index>& origin,
                 FittedNormalization& fitted) {
  fitted.column_means = entries_at(fitted.column_means, present.samples());
  fitted.weights = entries_at(fitted.weights, present.samples());
  for (const Index s : origin) fitted.origin.push_back(present.place(s));
}

}  // namespace

FeatureColumns support_columns(const Model& model) {
  if (model.sparse_support.rows > 0) {
    return {std::make_shared<const SparseMatrix>(model.sparse_support), model.columns,
            model.scaling, "the model"};
  }
  return {model.support_values, model.columns, model.scaling, "the model"};
}

std::vector<View> complete_views(const Model& model) {
  std::vector<View> views;
  if (model.product) return views;
  const auto has_weight = [&](const std::string& view) {
    return std::ranges::any_of(model.kernels, [&](const ModelKernel& kernel) {
      const std::string& own = kernel.description.view;
      return kernel.weight > 0.0 && (own == view || own == all_views);
    });
  };
  const auto add = [&](const std::string& name, const std::vector<std::string>& columns) {
    if (name == missing_view || presence_in(model, name) != nullptr || !has_weight(name)) return;
    views.push_back({name, columns});
  };
  for (const ScaledView& view : model.views) add(view.view, columns_of_view(model, view));
  for (const std::string& matrix : model.matrices) add(matrix, {});
  return views.size() + model.presences.size() < 2 ? std::vector<View>() : views;
}

Presences unknown_presences(const Model& model, const Table& table,
                            const std::vector<MatrixView>& matrices) {
  std::vector<View> views = complete_views(model);
  if (!model.scaling.fill.empty()) {  // missing cells are filled
    std::erase_if(views, [](const View& view) { return !view.columns.empty(); });
  }
  if (views.empty()) return {};
  const bool of_columns =
      std::ranges::any_of(views, [](const View& view) { return !view.columns.empty(); });
  if (of_columns && presence_in(model, all_views) == nullptr) views.push_back({all_views, {}});
  Presences unknown;
  for (Presence& own : new_presences(table, matrices, views)) {
    if (length(own.present->samples()) < own.present->all()) unknown.push_back(std::move(own));
  }
  return unknown;
}

bool has_missing_cells_of_views(const Model& model, const Table& table) {
  const std::vector<View> views = complete_views(model);
  if (views.empty() || !model.presences.empty() || !model.scaling.fill.empty() || table.sparse) {
    return false;
  }
  const ConstMatrix numbers = table.numbers();
  for (const View& view : views) {
    const PresentSamplesPtr present = samples_with(table, view);
    for (const std::string& name : view.columns) {
      const auto found = std::ranges::find(table.columns, name);
      if (found == table.columns.end()) continue;
      const Index j = found - table.columns.begin();
      const auto is_missing = [&](Index i) { return std::isnan(numbers(i, j)); };
      if (std::ranges::any_of(present->samples(), is_missing)) return true;
    }
  }
  return false;
}

PredictionKernels prediction_kernels(const Model& model, const Dataset& data) {
  PredictionKernels kernels;
  for (Index m = 0; m < length(model.kernels); ++m) {
    if (model.kernels[to_size(m)].weight > 0.0) kernels.index.push_back(m);
  }
  if (model.support.empty()) return kernels;
  check_categories(model, data.table);
  const std::vector<View> lacking = views_of(model.presences);
  if (model.product && model.scaling.fill.empty()) {
    refuse_new_absence(data.table, model.views, model.columns, lacking);
  }
  const auto matrices = needed_matrices(model, kernels.index, data, lacking);
  Presences fresh = new_presences(data.table, matrices, lacking);
  std::ranges::move(unknown_presences(model, data.table, matrices), std::back_inserter(fresh));
  const std::vector<Index> all_support = all_samples(length(model.support));
  std::map<std::string, BothPresent> views;
  for (const Presence& own : fresh) {
    const ModelPresence* const known = presence_in(model, own.view.name);
    views[own.view.name] = {
        own.present, std::make_shared<const PresentSamples>(
                         length(model.support), known == nullptr ? all_support : known->support)};
  }
  FeatureColumns left(data.table, model.columns, model.scaling, fresh);
  FeatureColumns right = support_columns(model);
  const bool sparse = left.is_sparse() || right.is_sparse();
  const Loss loss = model.settings.loss;
  for (const Index m : kernels.index) {
    const ModelKernel& kernel = model.kernels[to_size(m)];
    const KernelDescription& description = kernel.description;
    const auto found = views.find(description.view);
    const BothPresent present = found == views.end() ? BothPresent() : found->second;
    KernelSourcePtr source =
        description.from_matrix
            ? matrix_kernel(model, kernel, find_matrix(matrices, description.view), present)
            : feature_source(description.function, left.of(description, sparse, present.left.get()),
                             right.of(description, sparse, present.right.get()));
    FittedNormalization fitted = kernel.normalization;
    if (fitted.rule.center) fitted.weights = entries_at(sample_counts(model), model.support);
    const ModelPresence* const known = presence_in(model, description.view);
    if (present.left && known != nullptr) restrict_to(*present.right, known->origin, fitted);
    if (present.left && known == nullptr) {
      UnknownView unknown{length(kernels.sources), present.left};
      if (!description.from_matrix) {
        const auto columns = right.of(description, sparse);
        unknown.between = prediction_source(
            loss, feature_source(description.function, columns, columns), fitted, {});
      }
      kernels.unknown.push_back(std::move(unknown));
    }
    kernels.sources.push_back(prediction_source(loss, std::move(source), fitted, present));
  }
  if (!fresh.empty()) {
    kernels.views = views_of_samples(model, fresh, sample_count(data.table, data.matrices));
  }
  return kernels;
}

Vector sample_shares(const Model& model) {
  const ConstSpan counts = sample_counts(model);
  Vector shares(counts.begin(), counts.end());
  if (shares.empty()) shares.assign(to_size(model.training_samples), 1.0);
  const double total = sum_in_order(shares);
  for (double& share : shares) share /= total;
  return shares;
}

void require_mean_kernel(const Model& model, ConstSpan coefficients) {
  constexpr double rounding = 1e-9;
  const bool centred = std::ranges::any_of(model.kernels, [&](const ModelKernel& kernel) {
    return kernel.weight > 0.0 && kernel.normalization.rule.center &&
           presence_in(model, kernel.description.view) == nullptr;
  });
  if (!centred || length(model.support) == model.training_samples) return;
  if (on_distances(model.settings.loss)) return;
  double sum = 0.0;
  double size = 0.0;
  for (const double a : coefficients) {
    sum += a;
    size += std::abs(a);
  }
  if (std::abs(sum) <= rounding * size) return;
  throw DataError(
      "the model has a centred kernel but lacks the training samples for its mean: it is from an "
      "earlier version of kernmix, whose predictions with it were wrong; train it again");
}

}  // namespace kernmix
