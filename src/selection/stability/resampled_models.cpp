#include "selection/stability/resampled_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/pipeline.hpp"
#include "selection/stability/shares.hpp"

namespace kernmix {
namespace {

enum class Outcome { absent, finished, missed, label_missing };

struct OneShare {
  Outcome outcome = Outcome::absent;
  Matrix shares;
};

/// False if all or no samples have some label, so that it cannot be learned.
bool has_all_labels(const Dataset& part) {
  const MultiLabels& labels = part.table.multi_labels;
  for (Index t = 0; t < length(labels.names); ++t) {
    const Vector signs = labels.signs(t);
    if (std::ranges::adjacent_find(signs, std::not_equal_to<>()) == signs.end()) return false;
  }
  return true;
}

TrainOptions options_of(const Resample& resample, const TrainOptions& all) {
  TrainOptions options = all;
  options.threshold_folds = 0;
  options.calibration = CalibrationMethod::none;
  options.groups.clear();
  options.sample_weights = resample.weights;
  if (all.sample_weights.empty()) return options;
  for (std::size_t k = 0; k < resample.rows.size(); ++k) {
    options.sample_weights[k] *= all.sample_weights[to_size(resample.rows[k])];
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
                     const ResampledKernels& kernels, const Context& context) {
  const auto data = kernels.steps({resample.drawn(), labelling.order});
  const FrozenKernels own(*data, kernels.options,
                          all_samples(sample_count(labelling.data.table, labelling.data.matrices)),
                          {}, context);
  if (!are_same_kernels(own.descriptions(), kernels.frozen.descriptions())) {
    refuse_other_kernels(own.descriptions(), kernels.frozen.descriptions());
  }
  return labelling.order.empty() ? own.training() : with_labels_of(own.training(), labelling.order);
}

OneShare train_one(const ResampledData& labelling, const Resample& resample,
                   const ResampledKernels& kernels, const Context& context) {
  if (!has_all_labels(training_part(labelling.data, resample.rows))) {
    return {Outcome::label_missing, {}};
  }
  const Dataset part = training_part(
      kernels.steps ? stepped_data(labelling, resample, kernels, context) : labelling.data,
      resample.rows);
  const auto found = train_in_time(part, options_of(resample, kernels.frozen.options()), context);
  if (!found) return {};
  const bool converged = found->status == Status::converged;
  return {converged ? Outcome::finished : Outcome::missed, shares_of(found->model)};
}

}  // namespace

ResampledShares train_resamples(const std::vector<ResampledData>& labellings,
                                const ResampledKernels& kernels, const ManyModels& models) {
  const Index each = length(labellings.front().resamples);
  std::vector<OneShare> found(to_size(length(labellings) * each));
  models.run(length(found), "resamples", [&](Index i) {
    const ResampledData& labelling = labellings[to_size(i / each)];
    found[to_size(i)] =
        train_one(labelling, labelling.resamples[to_size(i % each)], kernels, models.one);
  });
  ResampledShares all;
  all.of.resize(labellings.size());
  all.unfinished.resize(labellings.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    OneShare& one = found[i];
    all.unfinished[i / to_size(each)] += one.outcome == Outcome::absent ? 1 : 0;
    all.label_missing += one.outcome == Outcome::label_missing ? 1 : 0;
    all.missed += one.outcome == Outcome::missed ? 1 : 0;
    if (one.shares.rows == 0) continue;
    all.of[i / to_size(each)].push_back(std::move(one.shares));
  }
  return all;
}

}  // namespace kernmix
