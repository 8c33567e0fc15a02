#include "selection/stability/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "model/absence/presence.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/kernel_choice.hpp"
#include "model/pipeline.hpp"
#include "selection/part_score.hpp"
#include "selection/stability/limits.hpp"
#include "selection/stability/weight_relation.hpp"

namespace kernmix {
namespace {

/// Restricts an order of all samples to `members`.
std::vector<Index> within(const std::vector<Index>& members, const std::vector<Index>& order) {
  std::vector<Index> places;
  for (const Index i : members) {
    const auto found = std::ranges::lower_bound(members, order[to_size(i)]);
    places.push_back(found - members.begin());
  }
  return places;
}

GivenMatrix moved_matrix(const GivenMatrix& matrix, const std::vector<Index>& rows,
                         const std::vector<Index>& cols) {
  Matrix moved(length(rows), length(cols));
  matrix.block(rows, cols, moved.values);
  return moved;
}

/// The variant for the samples `rows` of a fold, with kernels between them and the samples `cols`.
Dataset variant_of(const Dataset& data, const Variant& variant, const std::vector<Index>& rows,
                   const std::vector<Index>& cols) {
  Dataset own =
      variant.label_order.empty() ? data : with_labels_of(data, within(rows, variant.label_order));
  if (!variant.moved.empty()) {
    const std::vector<Index> moved_rows = within(rows, variant.row_order);
    const std::vector<Index> moved_cols = within(cols, variant.row_order);
    for (const Index m : variant.moved) {
      GivenMatrix& matrix = own.matrices[to_size(m)].matrix;
      matrix = moved_matrix(matrix, moved_rows, moved_cols);
    }
  }
  return own;
}

std::size_t held_bytes(const std::vector<PrecomputedKernels>& kernels,
                       const std::vector<Fold>& folds) {
  std::size_t sum = 0;
  for (std::size_t f = 0; f < kernels.size(); ++f) {
    sum += PrecomputedKernels::bytes(length(kernels[f].descriptions()), length(folds[f].train),
                                     length(folds[f].test));
  }
  return sum;
}

/// The samples of a fold after preprocessing fitted on its training part.
PrecomputedKernels precomputed_fold(const Dataset& data, const TrainOptions& options,
                                    const FittedSteps& steps, const Fold& fold,
                                    const std::vector<Index>& label_order, const Context& context) {
  if (!steps) return {data, options, fold.train, fold.test, context};
  return {*steps({fold.train, label_order}), options, fold.train, fold.test, context};
}

[[noreturn]] void refuse_other_kernels() {
  throw DataError(
      "the steps before the estimator give different kernels in different folds, so a view "
      "cannot be left out of all folds; use steps that keep their columns, or do not test "
      "views");
}

/// Kernels of all folds, kept in memory together.
std::vector<PrecomputedKernels> freeze(const Dataset& data, const TrainOptions& options,
                                       const SignificanceOptions& asked, const Context& context) {
  std::vector<PrecomputedKernels> all;
  Context left = context;
  for (const Fold& fold : asked.folds) {
    stop_if_asked(context);
    all.push_back(precomputed_fold(data, options, asked.steps, fold, {}, left));
    if (asked.views && !are_same_kernels(all.back().descriptions(), all.front().descriptions())) {
      refuse_other_kernels();
    }
    if (context.memory_bytes == 0) continue;
    const std::size_t held = held_bytes(all, asked.folds);
    left.memory_bytes = context.memory_bytes > held ? context.memory_bytes - held : 1;
  }
  return all;
}

std::size_t largest_fold_bytes(Index kernels, const std::vector<Fold>& folds) {
  std::size_t largest = 0;
  for (const Fold& fold : folds) {
    largest = std::max(largest,
                       PrecomputedKernels::bytes(kernels, length(fold.train), length(fold.test)));
  }
  return largest;
}

Index largest_train(const std::vector<Fold>& folds) {
  Index largest = 0;
  for (const Fold& fold : folds) largest = std::max(largest, length(fold.train));
  return largest;
}

/// The kernels of training on the training part of a fold, before anything is fitted.
std::vector<KernelDescription> kernels_of_fold(const Dataset& data, const TrainOptions& options,
                                               const Fold& fold, const Context& context) {
  return expand_kernels(fold_data(data, fold, context).train, options_on(options, fold.train));
}

/// Some of the kernels of training on this part.
DescribedKernels some_kernels(const Dataset& part, const TrainOptions& options,
                              const std::vector<Index>& places) {
  DescribedKernels some;
  some.kernels = entries_at(expand_kernels(part, options), places);
  some.views = views_to_scale(part.views, some.kernels, options.scaling);
  some.lacking = incomplete_views(part);
  return some;
}

/// \throws ParameterError for a column that a kernel with other rows reads, too
void check_moved_columns(const std::vector<KernelDescription>& kernels, const Variant& variant,
                         const Dataset& data) {
  if (data.table.sparse || !incomplete_views(data).empty()) {
    throw ParameterError(
        "permutations of views: models with calibration or thresholds need dense tables and "
        "complete views: leave calibration and thresholds out, or the permutation of views");
  }
  std::set<std::string> moved;
  for (const Index m : variant.moved) {
    const KernelDescription& kernel = kernels[to_size(m)];
    moved.insert(kernel.columns.begin(), kernel.columns.end());
    if (kernel.from_matrix) moved.insert(kernel.view);
  }
  for (Index m = 0; m < length(kernels); ++m) {
    if (std::ranges::find(variant.moved, m) != variant.moved.end()) continue;
    const KernelDescription& kernel = kernels[to_size(m)];
    for (const std::string& column : kernel.columns) {
      if (!moved.contains(column)) continue;
      throw ParameterError(fmt::format(
          "permutations of views: column {} is in several views, whose samples cannot be permuted "
          "for models with calibration or thresholds: leave these out, or the permutation of views",
          column));
    }
  }
}

/// Sample i has the columns and matrices of these kernels of sample order[i].
void move_rows(const std::vector<KernelDescription>& kernels, const Variant& variant,
               Dataset& data) {
  check_moved_columns(kernels, variant, data);
  Matrix values(data.table.samples(), length(data.table.columns));
  const ConstMatrix numbers = data.table.numbers();
  std::set<std::string> moved;
  for (const Index m : variant.moved) {
    const KernelDescription& kernel = kernels[to_size(m)];
    moved.insert(kernel.columns.begin(), kernel.columns.end());
    if (!kernel.from_matrix || moved.contains(kernel.view)) continue;
    moved.insert(kernel.view);
    for (MatrixView& view : data.matrices) {
      if (view.name != kernel.view) continue;
      view.matrix = moved_matrix(view.matrix, variant.row_order, variant.row_order);
    }
  }
  if (numbers.cols == 0) return;
  for (Index i = 0; i < values.rows; ++i) {
    for (Index j = 0; j < values.cols; ++j) {
      const bool from_other = moved.contains(data.table.columns[to_size(j)]);
      values(i, j) = numbers(from_other ? variant.row_order[to_size(i)] : i, j);
    }
  }
  data.table.borrowed = ConstMatrix();
  data.table.values = std::move(values);
}

}  // namespace

bool fits_inside(const TrainOptions& options) {
  return options.threshold_folds > 0 || options.calibration != CalibrationMethod::none;
}

FoldVariants::FoldVariants(const Dataset& data, const TrainOptions& options,
                           const SignificanceOptions& asked, std::string score, bool weights_follow,
                           const Context& context)
    : data_(data),
      folds_(asked.folds),
      options_(options),
      steps_(asked.steps),
      score_(std::move(score)),
      weights_follow_(weights_follow),
      from_data_(fits_inside(options)),
      context_(without_log(context)) {
  if (!from_data_) {
    kernels_ = freeze(data, options, asked, context);
    descriptions_ = kernels_.front().descriptions();
    return;
  }
  refuse_own_kernels(options);
  for (const Fold& fold : folds_) {
    stop_if_asked(context);
    auto own = kernels_of_fold(data_of({}, fold), options, fold, context_);
    if (descriptions_.empty()) descriptions_ = own;
    if (!asked.views) break;
    if (!are_same_kernels(own, descriptions_)) refuse_other_kernels();
  }
}

/// All samples with the labels of the variant, after preprocessing fitted on the training part.
Dataset FoldVariants::data_of(const Variant& variant, const Fold& samples) const {
  Dataset own = steps_ ? *steps_({samples.train, variant.label_order}) : data_;
  if (!variant.label_order.empty()) own = with_labels_of(own, variant.label_order);
  if (!variant.moved.empty()) move_rows(descriptions_, variant, own);
  return own;
}

bool FoldVariants::recomputes(const Variant& variant) const {
  return from_data_ || (weights_follow_ && !variant.label_order.empty());
}

/// As cross_validate() does.
std::optional<double> FoldVariants::score_from_data(const Variant& variant, Index fold,
                                                    const Context& context) const {
  const Fold& samples = folds_[to_size(fold)];
  TrainOptions options = options_;
  options.sample_weights =
      weights_in_order(options_.sample_weights, variant.label_order, weights_follow_);
  const auto own = in_time(context, "", [&] { return std::optional(data_of(variant, samples)); });
  if (!own) return std::nullopt;
  std::optional<DescribedKernels> some;
  if (!variant.kernels.empty()) {
    some = some_kernels(fold_data(*own, samples, context).train, options_on(options, samples.train),
                        variant.kernels);
  }
  PartFits fits(*own, samples, fmt::format("fold {}", fold + 1), context, some ? &*some : nullptr);
  const auto found = score_part(fits, options, "", some ? Purpose::only : Purpose::answer);
  if (!found) return std::nullopt;
  return score_called(found->metrics, score_).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> FoldVariants::score(const Variant& variant, Index fold,
                                          const Context& context) const {
  if (recomputes(variant)) return score_from_data(variant, fold, context);
  const Fold& samples = folds_[to_size(fold)];
  if (!steps_ || variant.label_order.empty()) {
    return score_on(kernels_[to_size(fold)], variant, samples, context);
  }
  const auto own = in_time(context, "", [&] {
    return std::optional(
        precomputed_fold(data_, options_, steps_, samples, variant.label_order, context));
  });
  return own ? score_on(*own, variant, samples, context) : std::nullopt;
}

std::optional<double> FoldVariants::score_on(const PrecomputedKernels& kernels,
                                             const Variant& variant, const Fold& samples,
                                             const Context& context) const {
  FoldData moved{variant_of(kernels.training(), variant, samples.train, samples.train),
                 variant_of(kernels.test(), variant, samples.test, samples.train)};
  const DescribedKernels own =
      variant.kernels.empty() ? kernels.kernels() : kernels.some_of(variant.kernels);
  PartFits fits(data_, samples, std::move(moved), context, &own);
  const auto found = score_part(fits, kernels.options(), "", Purpose::only);
  if (!found) return std::nullopt;
  const std::optional<double> score = score_called(found->metrics, score_);
  return score.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::vector<std::optional<Vector>> FoldVariants::scores(const std::vector<Variant>& variants,
                                                        const char* stage) const {
  const Index folds = length(folds_);
  const Index kernels = length(descriptions());
  std::vector<std::optional<double>> found(variants.size() * folds_.size());
  const bool recomputed = steps_ || std::ranges::any_of(variants, [&](const Variant& variant) {
                            return recomputes(variant);
                          });
  const std::size_t own = recomputed ? largest_fold_bytes(kernels, folds_) : 0;
  const ManyParts parts{.count = length(found),
                        .stage = stage,
                        .held = held_bytes(kernels_, folds_),
                        .each = model_bytes(kernels, largest_train(folds_)) + own};
  (void)for_each_part(context_, parts, [&](Index i, const Context& context) {
    found[to_size(i)] = score(variants[to_size(i / folds)], i % folds, context);
    return found[to_size(i)].has_value();
  });
  std::vector<std::optional<Vector>> rows;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    Vector row;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const auto& one = found[v * folds_.size() + f];
      if (one) row.push_back(*one);
    }
    rows.push_back(row.size() == folds_.size() ? std::optional(std::move(row)) : std::nullopt);
  }
  return rows;
}

}  // namespace kernmix
