#include "selection/stability/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/fits/side_by_side.hpp"
#include "selection/part_score.hpp"
#include "selection/stability/limits.hpp"

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

/// Kernels of all folds, kept in memory together.
std::vector<PrecomputedKernels> freeze(const Dataset& data, const TrainOptions& options,
                                       const SignificanceOptions& asked, const Context& context) {
  std::vector<PrecomputedKernels> all;
  Context left = context;
  for (const Fold& fold : asked.folds) {
    stop_if_asked(context);
    all.push_back(precomputed_fold(data, options, asked.steps, fold, {}, left));
    if (asked.views && !are_same_kernels(all.back().descriptions(), all.front().descriptions())) {
      throw DataError(
          "the steps before the estimator give different kernels in different folds, so a view "
          "cannot be left out of all folds; use steps that keep their columns, or do not test "
          "views");
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

}  // namespace

FoldVariants::FoldVariants(const Dataset& data, const TrainOptions& options,
                           const SignificanceOptions& asked, std::string score,
                           const Context& context)
    : data_(data),
      folds_(asked.folds),
      options_(options),
      steps_(asked.steps),
      score_(std::move(score)),
      context_(without_log(context)),
      kernels_(freeze(data, options, asked, context)) {}

std::optional<double> FoldVariants::score(const Variant& variant, Index fold,
                                          const Context& context) const {
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
  const std::size_t own = steps_ ? largest_fold_bytes(kernels, folds_) : 0;
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
