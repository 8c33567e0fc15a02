#include "model/cross_fitting/cross_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "model/fits/part_fits.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/pipeline.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

/// Columns of the decision values that a model of the fold's training part has.
std::vector<Index> outputs_of(const Dataset& data, const Fold& fold, Index outputs) {
  const MultiLabels& labels = data.table.multi_labels;
  return labels.names.empty() ? all_samples(outputs) : labels_of_both_signs(labels, fold.train);
}

std::vector<bool> known_outputs(const std::vector<std::vector<Index>>& of_folds, Index outputs) {
  std::vector<bool> known;
  for (Index t = 0; t < outputs; ++t) {
    known.push_back(std::ranges::all_of(
        of_folds, [t](const auto& own) { return std::ranges::binary_search(own, t); }));
  }
  return known;
}

}  // namespace

std::optional<HeldOutDecisions> cross_fit(const CrossFitted& of, const TrainOptions& options,
                                          const Context& context) {
  const TrainOptions own = without_cross_fits(options);
  const Index K = length(of.folds);
  std::vector<std::vector<Index>> outputs;
  for (const Fold& fold : of.folds) outputs.push_back(outputs_of(of.data, fold, of.outputs));
  HeldOutDecisions result{Matrix(sample_count(of.data.table, of.data.matrices), of.outputs),
                          known_outputs(outputs, of.outputs)};
  const auto run = [&](Index f, const Context& one) {
    const std::vector<Index>& known = outputs[to_size(f)];
    if (known.empty()) return true;
    const Fold& fold = of.folds[to_size(f)];
    const std::string where = fmt::format("{}: fold {} of {}", of.purpose, f + 1, K);
    if (!one.should_stop()) one.tell(where);
    PartFits fits(of.data, fold, where, one, of.kernels);
    const auto found = fits.in_time("", [&] { return fits.answer(own, Purpose::only); });
    if (!found) return false;
    const Matrix& decision = found->prediction.decision;
    for (Index i = 0; i < decision.rows; ++i) {
      for (Index t = 0; t < decision.cols; ++t) {
        result.decision(fold.test[to_size(i)], known[to_size(t)]) = decision(i, t);
      }
    }
    return true;
  };
  // The memory of a training is planned for one model at a time.
  const bool done =
      for_each_part(context, {.count = K, .stage = of.purpose, .each = context.memory_bytes}, run);
  return done ? std::optional(std::move(result)) : std::nullopt;
}

std::vector<Fold> folds_without_classes(Index n, const std::vector<Index>& groups,
                                        ConstSpan weights, Index folds, std::uint64_t seed) {
  if (!groups.empty()) return grouped_folds(groups, folds, weights);
  return predefined_folds(random_folds(n, folds, seed));
}

}  // namespace kernmix
