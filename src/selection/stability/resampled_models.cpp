#include "selection/stability/resampled_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/fits/part_fits.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/pipeline.hpp"
#include "selection/stability/limits.hpp"
#include "selection/stability/shares.hpp"
#include "selection/stability/weight_relation.hpp"

namespace kernmix {
namespace {

enum class Outcome { absent, finished, missed, label_missing };

struct ShareResult {
  Outcome outcome = Outcome::absent;
  Matrix shares;
};

/// False if all or no samples have some label, so that it cannot be learned.
bool has_all_labels(const Dataset& data, const std::vector<Index>& rows) {
  const MultiLabels& labels = data.table.multi_labels;
  return labels_of_both_signs(labels, rows).size() == labels.names.size();
}

/// Each row counts as often as it was drawn and its own weight says.
/// \param own_weights  of all samples; empty: all 1
TrainOptions options_of(const Resample& resample, const TrainOptions& all,
                        const Vector& own_weights, Index samples) {
  TrainOptions options = without_cross_fits(all);
  options.groups.clear();
  options.sample_weights.assign(to_size(samples), 0.0);
  for (std::size_t k = 0; k < resample.rows.size(); ++k) {
    const std::size_t row = to_size(resample.rows[k]);
    options.sample_weights[row] = resample.weights[k] * weight_at(own_weights, row);
  }
  return options;
}

[[noreturn]] void refuse_other_kernels(const std::vector<KernelDescription>& found,
                                       const std::vector<KernelDescription>& whole) {
  throw DataError(
      fmt::format("the steps before the estimator give other kernels when they are fitted on a "
                  "resample ({}) than on all samples ({}), so kernel weights cannot be compared; "
                  "use steps that keep their columns",
                  found.size(), whole.size()));
}

/// All samples after preprocessing fitted on this resample.
Dataset stepped_data(const ResampledData& labelling, const Resample& resample,
                     const ResampledKernels& kernels, Index samples, const Context& context) {
  const auto data = kernels.steps({resample.drawn(), labelling.order});
  const PrecomputedKernels own(*data, kernels.options, all_samples(samples), {}, context);
  if (!are_same_kernels(own.descriptions(), kernels.frozen.descriptions())) {
    refuse_other_kernels(own.descriptions(), kernels.frozen.descriptions());
  }
  return labelling.order.empty() ? own.training() : with_labels_of(own.training(), labelling.order);
}

/// Nothing where time was up.
std::optional<TrainResult> train_one(const ResampledData& labelling, const Resample& resample,
                                     const ResampledKernels& kernels, const Context& context) {
  const Index n = sample_count(labelling.data.table, labelling.data.matrices);
  return in_time(context, "", [&] {
    const std::optional<Dataset> stepped =
        kernels.steps ? std::optional(stepped_data(labelling, resample, kernels, n, context))
                      : std::nullopt;
    const Fold part{resample.rows, {}};
    PartFits fits(stepped ? *stepped : labelling.data, part, "", context,
                  &kernels.frozen.kernels());
    const TrainOptions& all = kernels.frozen.options();
    const Vector weights =
        weights_in_order(all.sample_weights, labelling.order, kernels.weights_follow);
    return fits.fit(options_of(resample, all, weights, n), Purpose::only);
  });
}

ShareResult share_of(const ResampledData& labelling, const Resample& resample,
                     const ResampledKernels& kernels, const Context& context) {
  if (!has_all_labels(labelling.data, resample.rows)) return {Outcome::label_missing, {}};
  const auto found = train_one(labelling, resample, kernels, context);
  if (!found) return {};
  const bool converged = found->status == Status::converged;
  return {converged ? Outcome::finished : Outcome::missed, shares_of(found->model)};
}

}  // namespace

ResampledShares train_resamples(const std::vector<ResampledData>& labellings,
                                const ResampledKernels& kernels, const Context& context) {
  const Index each = length(labellings.front().resamples);
  std::vector<ShareResult> found(to_size(length(labellings) * each));
  const Index M = length(kernels.frozen.descriptions());
  const Index n = sample_count(kernels.frozen.training().table, kernels.frozen.training().matrices);
  const std::size_t frozen = PrecomputedKernels::bytes(M, n, 0);
  const ManyParts resamples{.count = length(found),
                            .stage = "resamples",
                            .held = frozen,
                            .each = model_bytes(M, n) + (kernels.steps ? frozen : 0)};
  (void)for_each_part(without_log(context), resamples, [&](Index i, const Context& one) {
    const ResampledData& labelling = labellings[to_size(i / each)];
    found[to_size(i)] = share_of(labelling, labelling.resamples[to_size(i % each)], kernels, one);
    return found[to_size(i)].outcome != Outcome::absent;
  });
  ResampledShares all;
  all.of.resize(labellings.size());
  all.unfinished.resize(labellings.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ShareResult& one = found[i];
    all.unfinished[i / to_size(each)] += one.outcome == Outcome::absent ? 1 : 0;
    all.label_missing += one.outcome == Outcome::label_missing ? 1 : 0;
    all.missed += one.outcome == Outcome::missed ? 1 : 0;
    if (one.shares.rows == 0) continue;
    all.of[i / to_size(each)].push_back(std::move(one.shares));
  }
  return all;
}

}  // namespace kernmix
