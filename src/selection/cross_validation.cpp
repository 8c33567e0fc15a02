// For each fold: kernels of the training part once, then the models one by one.

#include "kernmix/selection/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/blas_threads.hpp"
#include "base/samples.hpp"
#include "folds/distinct_folds.hpp"
#include "kernmix/error.hpp"
#include "kernmix/identity_kernels.hpp"
#include "kernmix/selection/mean.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/kernel_choice.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/pipeline.hpp"
#include "model/targets.hpp"
#include "model/thresholds/folds.hpp"
#include "selection/part_score.hpp"

namespace kernmix {
namespace {

void append(const Prediction& part, Prediction& all) {
  const auto put_rows = [](const Matrix& from, Matrix& to) {
    to.cols = from.cols;
    to.rows += from.rows;
    to.values.insert(to.values.end(), from.values.begin(), from.values.end());
  };
  put_rows(part.decision, all.decision);
  put_rows(part.probability, all.probability);
  all.winner.insert(all.winner.end(), part.winner.begin(), part.winner.end());
  all.has_label.insert(all.has_label.end(), part.has_label.begin(), part.has_label.end());
}

FoldScore fold_score(PartScore part, Vector weights) {
  FoldScore score;
  score.weights = std::move(weights);
  score.status = Status::converged;
  score.relative_gap = 0.0;
  if (part.trained) {
    score.status = part.trained->status;
    score.relative_gap = part.trained->model.certificate.relative_gap();
    score.kernels_used = kernmix::kernels_used(part.trained->model);
    score.view_shares = kernmix::view_shares(part.trained->model);
    score.solve_seconds = part.trained->seconds.solve;
  }
  score.prediction = std::move(part.prediction);
  score.metrics = std::move(part.metrics);
  score.learned = std::move(part.learned);
  return score;
}

void add(const Reuse& part, Reuse& sum) {
  sum.models += part.models;
  sum.kernel_builds += part.kernel_builds;
  sum.warm_starts += part.warm_starts;
  sum.kernel_seconds += part.kernel_seconds;
  sum.saved_seconds += part.saved_seconds;
}

}  // namespace

std::map<std::string, double> view_shares(const Model& model) {
  std::map<std::string, double> shares;
  const Vector weights = weights_in_views(model);
  double sum = 0.0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    shares[model.kernels[m].description.view] += weights[m];
    sum += weights[m];
  }
  for (auto& [view, share] : shares) share = sum > 0.0 ? share / sum : 0.0;
  return shares;
}

std::vector<FoldMean> CrossValidation::means(Index model) const {
  std::vector<FoldMean> means;
  for (const FoldScore& fold : models[to_size(model)]) {
    for (const Metric& metric : fold.metrics) {
      auto found = std::ranges::find(means, metric.name, &FoldMean::name);
      if (found == means.end())
        found = means.insert(means.end(), FoldMean{metric.name, {}, {}, {}});
      if (metric.value) found->values.push_back(*metric.value);
    }
  }
  for (FoldMean& each : means) {
    const MeanAndSpread found = mean_and_spread(each.values);
    each.mean = found.mean;
    each.spread = found.spread;
  }
  return means;
}

namespace {

/// Decision values of classes that a fold lacks are -infinity.
std::optional<PooledPrediction> pool_parts(const std::vector<FoldScore>& parts, const Dataset& data,
                                           const std::vector<Fold>& folds) {
  PooledPrediction all{parts.front().learned, {}, {}, {}};
  std::vector<Index> samples;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    if (parts[f].metrics.empty() || parts[f].learned.names != all.learned.names) return {};
    append(parts[f].prediction, all.prediction);
    all.weights.insert(all.weights.end(), parts[f].weights.begin(), parts[f].weights.end());
    samples.insert(samples.end(), folds[f].test.begin(), folds[f].test.end());
  }
  const std::vector<Index> labels =
      places_of(all.learned.of_labels() ? all.learned.names : std::vector<std::string>(),
                data.table.multi_labels.names, "label", data.table.source);
  all.table = part_of({data.table, {}, {}}, samples, {}, labels).table;
  return all;
}

}  // namespace

std::optional<PooledPrediction> CrossValidation::pool(Index model, const Dataset& data,
                                                      const std::vector<Fold>& folds) const {
  std::optional<PooledPrediction> all = pool_parts(models[to_size(model)], data, folds);
  if (all) all->prediction = with_finite_decisions(std::move(all->prediction));
  return all;
}

Vector CrossValidation::differences(Index first, Index second, const std::string& score,
                                    const std::vector<Fold>& folds) const {
  const ScoreRule rule = score_rule(score);
  Vector apart;
  for (const std::size_t f : distinct_folds(folds)) {
    const auto& left = models[to_size(first)][f].metrics;
    const auto& right = models[to_size(second)][f].metrics;
    if (left.empty() || right.empty()) continue;
    const auto a = score_called(left, score);
    const auto b = score_called(right, score);
    if (a && b) apart.push_back(rule.difference(*a, *b));
  }
  return apart;
}

CrossValidation cross_validate(const Dataset& data, const std::vector<TrainOptions>& models,
                               const std::vector<Fold>& folds, const Context& context) {
  const SerialBlas serial_blas;
  check_folds(folds, sample_count(data.table, data.matrices));
  for (const TrainOptions& options : models) {
    (void)check_samples(data, options);
    check_groups(folds, options.groups);
    require_landmark_file(options.landmarks, context);
  }
  CrossValidation result;
  result.models.assign(models.size(), std::vector<FoldScore>(folds.size()));
  std::mutex mutex;
  const auto run_fold = [&](Index f, const Context& one) {
    const Fold& fold = folds[to_size(f)];
    PartFits fits(data, fold, fmt::format("fold {}", f + 1), one);
    bool done = true;
    for (std::size_t k = 0; done && k < models.size(); ++k) {
      auto found = score_part(fits, models[k], "", Purpose::answer);
      done = found.has_value();
      if (!done) continue;
      result.models[k][to_size(f)] =
          fold_score(std::move(*found), entries_at(models[k].sample_weights, fold.test));
    }
    const std::lock_guard lock(mutex);
    add(fits.reuse(), result.reuse);
    return done;
  };
  result.complete = for_each_part(context, {.count = length(folds), .stage = "folds"}, run_fold);
  return result;
}

}  // namespace kernmix
