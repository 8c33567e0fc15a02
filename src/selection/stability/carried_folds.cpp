#include "selection/stability/carried_folds.hpp"

#include <algorithm>
#include <limits>

#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "model/fits/in_time.hpp"
#include "model/fits/side_by_side.hpp"
#include "selection/stability/limits.hpp"
#include "selection/stability/precomputed_kernels.hpp"
#include "selection/stability/variants.hpp"
#include "selection/stability/weight_relation.hpp"

namespace kernmix {
namespace {

/// The samples whose label comes from one of `places`.
std::vector<Index> carried(const std::vector<Index>& places, const std::vector<Index>& order) {
  std::vector<Index> samples;
  for (Index i = 0; i < length(order); ++i) {
    if (std::ranges::binary_search(places, order[to_size(i)])) samples.push_back(i);
  }
  return samples;
}

std::vector<Fold> carried_folds(const std::vector<Fold>& folds, const std::vector<Index>& order) {
  std::vector<Fold> own;
  for (const Fold& fold : folds) {
    own.push_back({carried(fold.train, order), carried(fold.test, order)});
  }
  return own;
}

/// With kernels of the samples after preprocessing fitted with these labels.
std::optional<Vector> scores_with_steps(const Dataset& data, const TrainOptions& options,
                                        const SignificanceOptions& asked, const std::string& score,
                                        const std::vector<Index>& order, const Context& context) {
  SignificanceOptions own;
  own.folds = carried_folds(asked.folds, order);
  own.steps = [&](const StepSamples& samples) {
    const auto made = asked.steps({samples.rows, order});
    return std::make_shared<const Dataset>(with_labels_of(*made, order));
  };
  const Dataset labelled = with_labels_of(data, order);
  const FoldVariants variants(labelled, options, own, score, false, context);
  return variants.scores({Variant()}, "folds").front();
}

std::optional<Vector> scores_of(const Dataset& data, const TrainOptions& options,
                                const SignificanceOptions& asked, const std::string& score,
                                const std::vector<Index>& order, const Context& context) {
  if (asked.steps) return scores_with_steps(data, options, asked, score, order, context);
  const std::vector<Fold> own = carried_folds(asked.folds, order);
  const CrossValidation found =
      cross_validate(with_labels_of(data, order), {options}, own, context);
  if (!found.complete) return std::nullopt;
  Vector row;
  for (const FoldScore& fold : found.models.front()) {
    row.push_back(
        score_called(fold.metrics, score).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return row;
}

}  // namespace

bool tests_samples_again(const std::vector<Fold>& folds, Index samples) {
  std::vector<char> tested(to_size(samples), 0);
  for (const Fold& fold : folds) {
    for (const Index i : fold.test) {
      if (tested[to_size(i)] != 0) return true;
      tested[to_size(i)] = 1;
    }
  }
  return false;
}

std::vector<std::optional<Vector>> scores_with_carried_folds(
    const Dataset& data, const TrainOptions& options, const SignificanceOptions& asked,
    const CarriedScore& score, const std::vector<std::vector<Index>>& orders,
    const Context& context) {
  Index largest = 0;
  for (const Fold& fold : asked.folds) largest = std::max(largest, length(fold.train));
  const Index kernels = length(expand_kernels(data, options));
  const ManyParts permutations{
      .count = length(orders), .stage = "permutations", .each = model_bytes(kernels, largest)};
  std::vector<std::optional<Vector>> rows(orders.size());
  (void)for_each_part(without_log(context), permutations, [&](Index b, const Context& one) {
    std::optional<Vector>& row = rows[to_size(b)];
    const std::vector<Index>& order = orders[to_size(b)];
    TrainOptions own = options;
    own.sample_weights = weights_in_order(options.sample_weights, order, score.weights_follow);
    row = in_time(one, "", [&] { return scores_of(data, own, asked, score.name, order, one); });
    return row.has_value();
  });
  return rows;
}

}  // namespace kernmix
