// Of a resample with weights w_i that add up to n, sample i has the weight
// C_i = loss_weight(n) w_i own_i in the loss: what n samples, some of them several times, have.

#include "selection/stability/resampled_models.hpp"

#include <algorithm>

#include "kernmix/loss.hpp"
#include "selection/stability/shares.hpp"

namespace kernmix {
namespace {

enum class Outcome { absent, finished, missed, label_missing };

struct OneShare {
  Outcome outcome = Outcome::absent;
  Matrix shares;
};

/// False where a label has all of the samples or none, which leaves nothing to learn.
bool has_all_labels(const Dataset& part) {
  const MultiLabels& labels = part.table.multi_labels;
  for (Index t = 0; t < length(labels.names); ++t) {
    const Vector signs = labels.signs(t);
    if (std::ranges::adjacent_find(signs, std::not_equal_to<>()) == signs.end()) return false;
  }
  return true;
}

TrainOptions options_of(const Resample& resample, const TrainOptions& all, Index samples) {
  TrainOptions options = all;
  options.threshold_folds = 0;
  options.calibration = CalibrationMethod::none;
  options.groups.clear();
  const Loss loss = parse_loss(all.loss);
  const double C = cost_of(all);
  const double same_loss =
      loss_weight(loss, C, samples) / loss_weight(loss, C, length(resample.rows));
  options.sample_weights = resample.weights;
  for (std::size_t k = 0; k < resample.rows.size(); ++k) {
    options.sample_weights[k] *= same_loss;
    if (!all.sample_weights.empty()) {
      options.sample_weights[k] *= all.sample_weights[to_size(resample.rows[k])];
    }
  }
  return options;
}

OneShare train_one(const ResampledData& labelling, const Resample& resample,
                   const TrainOptions& options, const Context& context) {
  const Dataset part = training_part(labelling.data, resample.rows);
  if (!has_all_labels(part)) return {Outcome::label_missing, {}};
  const Index samples = labelling.data.matrices.front().matrix.rows();
  const auto found = train_in_time(part, options_of(resample, options, samples), context);
  if (!found) return {};
  const bool converged = found->status == Status::converged;
  return {converged ? Outcome::finished : Outcome::missed, shares_of(found->model)};
}

}  // namespace

ResampledShares train_resamples(const std::vector<ResampledData>& labellings,
                                const TrainOptions& options, const ManyModels& models) {
  const Index each = length(labellings.front().resamples);
  std::vector<OneShare> found(to_size(length(labellings) * each));
  models.run(length(found), "resamples", [&](Index i) {
    const ResampledData& labelling = labellings[to_size(i / each)];
    found[to_size(i)] =
        train_one(labelling, labelling.resamples[to_size(i % each)], options, models.one);
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
