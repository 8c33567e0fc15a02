#include "model/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/linear_algebra.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/shape.hpp"
#include "kernel/cached_source.hpp"
#include "kernel/mean_entry.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "model/file/fingerprint.hpp"
#include "model/kernels/fitted_widths.hpp"
#include "model/kernels/repairs.hpp"
#include "model/kernels/representatives.hpp"
#include "model/named_matrices.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

std::vector<std::string> columns_of(const std::vector<KernelDescription>& kernels) {
  std::vector<std::string> columns;
  std::set<std::string> seen;
  for (const KernelDescription& kernel : kernels) {
    for (const std::string& column : kernel.columns) {
      if (seen.insert(column).second) columns.push_back(column);
    }
  }
  return columns;
}

/// Of each view all columns that its kernels read.
std::vector<View> whole_views(const std::vector<KernelDescription>& kernels) {
  std::vector<View> views;
  std::map<std::string, std::set<std::string>> seen;
  for (const KernelDescription& kernel : kernels) {
    if (kernel.columns.empty()) continue;
    if (!seen.contains(kernel.view)) views.push_back({kernel.view, {}});
    View& view = *std::ranges::find(views, kernel.view, &View::name);
    for (const std::string& column : kernel.columns) {
      if (seen[kernel.view].insert(column).second) view.columns.push_back(column);
    }
  }
  return views;
}

std::vector<MatrixView> matrices_of(const std::vector<KernelDescription>& kernels,
                                    const std::vector<MatrixView>& given) {
  std::vector<MatrixView> used;
  for (const MatrixView& view : given) {
    const bool read = std::any_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
      return kernel.from_matrix && kernel.view == view.name;
    });
    if (read) used.push_back(view);
  }
  return used;
}

/// Only the zero kernel has k(x, x) = 0 for all x.
void refuse_distances(const MatrixView& view, const MatrixFacts& facts) {
  const bool zero = std::ranges::all_of(facts.diagonal, [](double value) { return value == 0.0; });
  if (view.kind != KernelInput::gram || !zero || !(facts.mean_entry > 0.0)) return;
  throw DataError(fmt::format(
      "matrix '{}' has zeros on its diagonal and positive values elsewhere, so it has distances "
      "and is not a kernel: give distances with --distance instead of --gram, and a kernel of "
      "distances, such as rbf(width=median)",
      view.name));
}

/// Positive diagonals of distances are rounding errors, far below the mean; those of kernels have a
/// larger mean than all entries.
void refuse_gram(const MatrixView& view, const MatrixFacts& facts) {
  const ConstSpan diagonal = facts.diagonal;
  const bool positive = std::ranges::all_of(diagonal, [](double value) { return value > 0.0; });
  if (view.kind != KernelInput::distance || diagonal.empty() || !positive) return;
  if (as_vector(diagonal).mean() <= facts.mean_entry) return;
  throw DataError(
      fmt::format("matrix '{}' has {:.6g} on its diagonal, where distances are 0, and smaller "
                  "values elsewhere, "
                  "so it is a Gram matrix: give it with --gram instead of --distance",
                  view.name, diagonal.front()));
}

/// Kernels with many columns, whose entries are slower to evaluate than to read, are evaluated once
/// if they take little memory.
void remember_wide(const std::vector<KernelDescription>& kernels, const Context& context,
                   std::vector<KernelSourcePtr>& sources) {
  constexpr std::size_t fewest_columns = 128;
  constexpr std::size_t most_bytes = std::size_t{1} << 27;
  constexpr std::size_t share = 8;  // of the memory
  std::vector<std::size_t> places;
  std::vector<KernelSourcePtr> wide;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    if (kernels[m].columns.size() < fewest_columns) continue;
    places.push_back(m);
    wide.push_back(sources[m]);
  }
  const std::size_t budget = context.memory_bytes;
  const std::size_t most = budget > 0 ? std::min(most_bytes, budget / share) : most_bytes;
  if (wide.empty() || cached_bytes(wide) > most) return;
  wide = cached_sources(wide, context);
  for (std::size_t k = 0; k < places.size(); ++k) sources[places[k]] = std::move(wide[k]);
}

/// An unchanged Gram matrix, whose mean is known.
bool is_given(const KernelDescription& kernel) {
  return kernel.from_matrix && kernel.function.name == "precomputed";
}

/// The samples on which the variance of each kernel is measured.
class Compared {
 public:
  /// \param whole kernels whose whole matrix is read anyway
  Compared(const Representatives& representatives, std::vector<bool> whole)
      : representatives_(representatives), whole_(std::move(whole)) {}

  /// {}: all
  [[nodiscard]] std::span<const Index> of(Index m) const {
    return whole_[to_size(m)] ? std::span<const Index>() : representatives_.of(m);
  }

 private:
  const Representatives& representatives_;
  std::vector<bool> whole_;
};

/// Of the training samples that have a view, or of all.
Vector weights_of(const Presence* presence, ConstSpan weights) {
  if (presence == nullptr) return {weights.begin(), weights.end()};
  return entries_at(weights, presence->present->samples());
}

/// w'Kw / (1'w)^2 of the kernels that are divided by their variance. \param means known ones
std::vector<std::optional<double>> mean_entries_of(const TrainingKernels& kernels,
                                                   const std::vector<KernelSourcePtr>& plain,
                                                   std::vector<std::optional<double>> means,
                                                   const Compared& compared, ConstSpan weights,
                                                   const Context& context) {
  std::map<const Presence*, std::vector<Index>> divided;
  for (std::size_t m = 0; m < plain.size(); ++m) {
    const Normalization& rule = kernels.descriptions[m].normalization;
    const bool by_variance = rule.scale == Normalization::Scale::variance;
    if (!by_variance || rule.center || rule.cosine || means[m]) continue;
    divided[kernels.presence(static_cast<Index>(m))].push_back(static_cast<Index>(m));
  }
  for (const auto& own : divided) {
    const Presence* const presence = own.first;
    const std::vector<Index>& numbers = own.second;
    std::vector<const KernelSource*> sources;
    for (const Index m : numbers) sources.push_back(plain[to_size(m)].get());
    const std::vector<Index> all = all_samples(sources.front()->rows());
    const auto samples_for = [&](Index k) {
      const std::span<const Index> chosen = compared.of(numbers[to_size(k)]);
      return chosen.empty() ? std::span<const Index>(all) : chosen;
    };
    const Vector found = mean_entries(sources, samples_for, weights_of(presence, weights), context);
    for (std::size_t k = 0; k < numbers.size(); ++k) means[to_size(numbers[k])] = found[k];
  }
  return means;
}

/// Between the samples that it has.
GivenMatrix present_part(const MatrixView& view) {
  return view.present ? part_of_matrix(view.matrix, *view.present, *view.present) : view.matrix;
}

MatrixFacts facts_of_present(const MatrixView& view, const Context& context) {
  MatrixFacts facts = facts_of(present_part(view), context);
  if (view.present) facts.digest = digest_of(*view.present, facts.digest);
  return facts;
}

[[noreturn]] void refuse_repair(const KernelDescription& kernel) {
  throw ParameterError(fmt::format(
      "kernel {}: some samples have no row in its matrix, and a repair of indefinite kernels ({}) "
      "needs all: repair the matrix before, or leave these samples out (absent=drop)",
      kernel.name(), repair_name(kernel.repair)));
}

/// Makes kernel m positive semidefinite. \returns the mean of its entries if it was changed
std::optional<double> repair(std::size_t m, KernelSourcePtr& plain, TrainingKernels& kernels,
                             const Context& context) {
  const KernelDescription& kernel = kernels.descriptions[m];
  RepairedMatrix repaired =
      repair_training(*plain, kernel.repair, kernel.name(), kernels.repaired_bytes, context);
  kernels.repaired_bytes += repaired.fitted.negative.values.size() * sizeof(double);
  kernels.repairs[m] = std::move(repaired.fitted);
  if (!repaired.matrix) return std::nullopt;
  kernels.repaired_bytes += repaired.matrix->values.size() * sizeof(double);
  const GivenMatrix matrix(std::move(repaired.matrix));
  const MatrixFacts facts = facts_of(matrix, context);
  plain = matrix_source({"precomputed", {}}, matrix, facts.diagonal, kernel.view);
  return facts.mean_entry;
}

/// Kernels before their normalization.
struct PlainKernels {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::optional<double>> means;  ///< of all entries, where reading a matrix told it
};

void add_feature_kernels(TrainingKernels& kernels, const Context& context, PlainKernels& plain) {
  for (std::size_t m = 0; m < plain.sources.size(); ++m) {
    const KernelDescription& kernel = kernels.descriptions[m];
    if (kernel.from_matrix) continue;
    const Presence* const presence = kernels.presence(static_cast<Index>(m));
    const auto columns = kernels.features.of(kernel, samples_of(presence));
    plain.sources[m] = feature_source(kernel.function, columns, columns);
  }
  remember_wide(kernels.descriptions, context, plain.sources);
}

/// Reads each matrix once. \throws DataError for distances given as a kernel, and the other way
/// round
void find_facts(TrainingKernels& kernels, const Context& context) {
  kernels.facts.resize(kernels.matrices.size());
  parallel_for(context, length(kernels.matrices), [&](Index k) {
    const auto at = to_size(k);
    kernels.facts[at] = facts_of_present(kernels.matrices[at], context);
  });
  for (std::size_t k = 0; k < kernels.matrices.size(); ++k) {
    refuse_distances(kernels.matrices[k], kernels.facts[k]);
    refuse_gram(kernels.matrices[k], kernels.facts[k]);
  }
}

/// Kernels of matrices, repaired where their descriptions ask for it.
void add_matrix_kernels(TrainingKernels& kernels, const Context& context, PlainKernels& plain) {
  std::map<std::string, std::size_t> place;
  for (std::size_t k = 0; k < kernels.matrices.size(); ++k) place[kernels.matrices[k].name] = k;
  kernels.repairs.resize(plain.sources.size());
  for (std::size_t m = 0; m < plain.sources.size(); ++m) {
    const KernelDescription& kernel = kernels.descriptions[m];
    if (!kernel.from_matrix) continue;
    const std::size_t k = place.at(kernel.view);
    plain.sources[m] = matrix_source(kernel.function, present_part(kernels.matrices[k]),
                                     kernels.facts[k].diagonal, kernel.view);
    if (is_given(kernel)) plain.means[m] = kernels.facts[k].mean_entry;
    if (kernel.repair == Repair::none) continue;
    if (kernels.presence(static_cast<Index>(m)) != nullptr) refuse_repair(kernel);
    if (const auto mean = repair(m, plain.sources[m], kernels, context)) plain.means[m] = mean;
  }
}

/// \param presence  of the view of the kernel; null: all samples have it
FittedNormalization fitted_normalization(const Normalization& rule, const KernelSource& plain,
                                         const Presence* presence, const VarianceSample& sample,
                                         ConstSpan weights, const Context& context) {
  const Vector own = weights_of(presence, weights);
  FittedNormalization fitted = fit_normalization(rule, plain, context, sample, own);
  if (presence == nullptr) return fitted;
  std::vector<Index> origin = presence->origin;
  for (Index& of_origin : origin) of_origin = presence->present->place(of_origin);
  return about_origin(std::move(fitted), plain, std::move(origin), own, context);
}

/// Normalised kernels between all samples, also those that lack a view.
std::vector<KernelSourcePtr> all_normalized(const TrainingKernels& kernels,
                                            const std::vector<KernelSourcePtr>& plain) {
  std::vector<KernelSourcePtr> sources;
  for (Index m = 0; m < length(plain); ++m) {
    KernelSourcePtr source =
        normalized_source(plain[to_size(m)], kernels.normalizations[to_size(m)], true);
    const Presence* const presence = kernels.presence(m);
    if (presence != nullptr) {
      source = present_source(std::move(source), presence->present, presence->present);
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

GivenMatrix present_part(const GivenMatrix& matrix, const BothPresent& present) {
  if (!present.left) return matrix;
  return part_of_matrix(matrix, present.left->samples(), present.right->samples());
}

/// \throws DataError unless it has a column for each training sample
GivenMatrix is_fitted_in_training(const MatrixView& view, Index n) {
  if (view.matrix.cols() == n) return view.matrix;
  throw DataError(fmt::format("matrix '{}' must have {} columns (training samples), got {}",
                              view.name, n, view.matrix.cols()));
}

/// Of each column, the names in descriptions and scaling rules and the place in tables of names.
void require_room_for_columns(const Table& table, const Context& context) {
  constexpr double bytes_of_a_column = 1600.0;  // measured, with those of the table
  const double needed = bytes_of_a_column * static_cast<double>(table.columns.size());
  if (has_room(context, needed)) return;
  throw ResourceError(fmt::format(
      "{}: {} columns take {} of memory beside their numbers, more than the budget of {} "
      "(--memory); allow more memory, or give fewer columns",
      table.source, table.columns.size(), memory_text(needed), memory_text(context.memory_bytes)));
}

}  // namespace

std::vector<ScaledView> views_to_scale(const std::vector<View>& views,
                                       const std::vector<KernelDescription>& kernels,
                                       const ScalingChoice& choice) {
  const std::vector<std::string> read = columns_of(kernels);
  std::set<std::string> left(read.begin(), read.end());
  std::vector<ScaledView> scaled;
  for (const View& view : views) {
    const ScalingRule asked = choice.of(view.name);
    ScaledView own{view.name, asked, asked, {}};
    for (const std::string& column : view.columns) {
      if (left.erase(column) > 0) own.columns.push_back(column);
    }
    if (!own.columns.empty()) scaled.push_back(std::move(own));
  }
  return scaled;
}

TrainingKernels training_kernels(const Table& table, const std::vector<MatrixView>& matrices,
                                 const std::vector<KernelDescription>& kernels,
                                 std::vector<ScaledView> views, MissingRule missing,
                                 const Presences& lacking, ConstSpan sample_weights,
                                 const Context& context, FittingRules rules) {
  // Weights of 1 give bitwise the same result as no weights.
  require_room_for_columns(table, context);
  const bool once = std::ranges::all_of(sample_weights, [](double w) { return w == 1.0; });
  const ConstSpan weights = once ? ConstSpan() : sample_weights;
  const Index n = sample_count(table, matrices);
  for (const MatrixView& view : matrices) check_column_names(view);
  Presences presences = find_presences(table, matrices, lacking, kernels, context.seed);
  FeatureColumns features = FeatureColumns::fit(table, columns_of(kernels), views, weights, missing,
                                                presences, whole_views(kernels), rules);
  TrainingKernels result{
      std::move(features), matrices_of(kernels, matrices), {}, std::move(views), {}, {}, {}};
  result.presences = std::move(presences);
  result.descriptions =
      fit_widths(kernels, result.features, matrices, result.presences, weights, context);
  PlainKernels plain;
  plain.sources.resize(kernels.size());
  plain.means.resize(kernels.size());
  add_feature_kernels(result, context, plain);
  find_facts(result, context);
  add_matrix_kernels(result, context, plain);
  const Representatives representatives(result, n, context);
  std::vector<bool> whole;
  for (const auto& mean : plain.means) whole.push_back(mean.has_value());
  const Compared compared(representatives, std::move(whole));
  // The mean from reading a matrix is unweighted.
  if (!weights.empty()) plain.means.assign(kernels.size(), std::nullopt);
  plain.means =
      mean_entries_of(result, plain.sources, std::move(plain.means), compared, weights, context);
  Context one_thread = context;
  one_thread.threads = 1;
  result.normalizations.resize(kernels.size());
  parallel_for(context, length(kernels), [&](Index i) {
    stop_if_asked(context);
    const auto m = to_size(i);
    const VarianceSample sample{compared.of(i), plain.means[m]};
    result.normalizations[m] =
        fitted_normalization(kernels[m].normalization, *plain.sources[m], result.presence(i),
                             sample, weights, one_thread);
  });
  result.sources = all_normalized(result, plain.sources);
  return result;
}

double fit_to_loss(TrainingKernels& kernels, Loss& loss) {
  if (!on_distances(loss)) return 0.0;
  DistanceKernels distances = distance_kernels(kernels.sources);
  kernels.sources = std::move(distances.sources);
  loss = with_shift(loss, distances.shift);
  return distances.shift;
}

KernelSourcePtr prediction_source(const Loss& loss, KernelSourcePtr source,
                                  const FittedNormalization& fitted, const BothPresent& present) {
  if (present.left) {
    source = present_source(normalized_source(std::move(source), fitted, false), present.left,
                            present.right);
    return on_distances(loss) ? distance_source(std::move(source), 0.0) : source;
  }
  if (!on_distances(loss)) return normalized_source(std::move(source), fitted, false);
  // Centring does not change distances, and needs all training samples.
  FittedNormalization uncentred = fitted;
  uncentred.rule.center = false;
  uncentred.column_means.clear();
  uncentred.weights.clear();
  uncentred.grand_mean = 0.0;
  return distance_source(normalized_source(std::move(source), std::move(uncentred), false), 0.0);
}

std::vector<KernelSourcePtr> sources_between(TrainingKernels& kernels, const Loss& loss,
                                             const Dataset& fresh) {
  (void)sample_count(fresh.table, fresh.matrices);
  const Index n = kernels.sources.front()->rows();
  std::vector<View> lacking;
  for (const Presence& presence : kernels.presences) lacking.push_back(presence.view);
  if (kernels.features.scaling().fill.empty()) {
    refuse_new_absence(fresh.table, kernels.views, kernels.features.names(), lacking);
  }
  std::vector<std::string> names;
  for (const MatrixView& view : kernels.matrices) names.push_back(view.name);
  const std::vector<MatrixView> matrices =
      names.empty() ? std::vector<MatrixView>() : match_matrices(names, fresh.matrices);
  const Presences has = new_presences(fresh.table, matrices, lacking);
  FeatureColumns left(fresh.table, kernels.features.names(), kernels.features.scaling(), has);
  const bool sparse = left.is_sparse() || kernels.features.is_sparse();
  std::vector<KernelSourcePtr> sources;
  for (Index m = 0; m < length(kernels.descriptions); ++m) {
    const KernelDescription& kernel = kernels.descriptions[to_size(m)];
    const Presence* const presence = kernels.presence(m);
    BothPresent present;
    if (presence != nullptr) {
      present = {presence_of(kernel.view, has)->present, presence->present};
    }
    KernelSourcePtr source =
        kernel.from_matrix
            ? matrix_source(
                  kernel.function,
                  present_part(is_fitted_in_training(find_matrix(matrices, kernel.view), n),
                               present),
                  {}, kernel.view)
            : feature_source(kernel.function, left.of(kernel, sparse, present.left.get()),
                             kernels.features.of(kernel, sparse, present.right.get()));
    if (kernels.repairs[to_size(m)].mixes_columns()) {
      source = repaired_source(std::move(source), kernels.repairs[to_size(m)], all_samples(n));
    }
    sources.push_back(
        prediction_source(loss, std::move(source), kernels.normalizations[to_size(m)], present));
  }
  return sources;
}

Index sample_count(const Table& table, const std::vector<MatrixView>& matrices) {
  check_table(table);
  Index n = table.samples();
  std::string first = table.source;
  if (table.columns.empty() && !matrices.empty() && !matrices.front().matrix.empty()) {
    n = matrices.front().matrix.rows();
    first = fmt::format("matrix '{}'", matrices.front().name);
  }
  const auto agree = [&](Index count, const std::string& what) {
    if (count == n) return;
    throw DataError(fmt::format("{} has {} samples, {} has {}", first, n, what, count));
  };
  if (!table.labels.empty()) agree(length(table.labels), "the label column");
  if (!table.multi_labels.names.empty()) agree(table.multi_labels.samples(), "the label matrix");
  if (!table.targets.empty()) agree(table.targets.values.rows, "the matrix of targets");
  if (!table.ids.empty()) agree(length(table.ids), "the id column");
  for (const MatrixView& view : matrices) {
    if (view.matrix.empty()) throw DataError(fmt::format("matrix '{}' is empty", view.name));
    if (const ConstMatrix* const values = view.matrix.in_memory()) {
      require_shape(fmt::format("matrix '{}'", view.name), *values);
    }
    agree(view.matrix.rows(), fmt::format("matrix '{}'", view.name));
    check_row_names(table, view);
  }
  return n;
}

std::vector<MatrixView> match_matrices(const std::vector<std::string>& names,
                                       const std::vector<MatrixView>& given,
                                       const std::vector<View>& lacking, Index n) {
  const auto is_known = [&](const MatrixView& view) {
    return std::ranges::find(names, view.name) != names.end();
  };
  const auto known = to_size(std::ranges::count_if(given, is_known));
  std::vector<MatrixView> matched;
  if (known == 0 && given.size() == names.size()) {
    matched = given;
    for (std::size_t i = 0; i < names.size(); ++i) matched[i].name = names[i];
    return matched;
  }
  for (const std::string& name : names) {
    const auto own = std::ranges::find(given, name, &MatrixView::name);
    if (own != given.end()) {
      matched.push_back(*own);
    } else if (known == given.size() &&
               std::ranges::find(lacking, name, &View::name) != lacking.end()) {
      matched.push_back({name, KernelInput::gram, GivenMatrix(Matrix(n, 0)), std::vector<Index>()});
    } else {
      throw DataError(
          names.size() == 1
              ? fmt::format("the model needs the matrix {} and no other; give it by this name",
                            name)
              : fmt::format("the model needs the matrices {}; give them by these names or all in "
                            "this order",
                            fmt::join(names, ", ")));
    }
  }
  return matched;
}

const MatrixView& find_matrix(const std::vector<MatrixView>& views, const std::string& name) {
  const auto found = std::find_if(views.begin(), views.end(),
                                  [&](const MatrixView& view) { return view.name == name; });
  if (found == views.end()) throw DataError(fmt::format("the matrix '{}' is needed", name));
  return *found;
}

}  // namespace kernmix
