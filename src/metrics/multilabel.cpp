#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/ranks/ties.hpp"
#include "base/samples.hpp"
#include "base/shape.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "metrics/counts.hpp"
#include "metrics/intervals.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

void check_labels(const MultiLabels& truth, const Matrix& decision, ConstSpan thresholds) {
  const Index labels = length(truth.names);
  if (truth.samples() == 0 || decision.rows != truth.samples() || decision.cols != labels) {
    throw ParameterError(
        fmt::format("evaluation needs decision values for each of at least one sample and label, "
                    "got {} x {} labels and {} x {} values",
                    truth.samples(), labels, decision.rows, decision.cols));
  }
  require_shape("decision values", decision);
  if (!thresholds.empty() && length(thresholds) != labels) {
    throw ParameterError(fmt::format("evaluation needs one threshold for each label, got {} for {}",
                                     thresholds.size(), labels));
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(decision.values.begin(), decision.values.end(), is_finite) ||
      !std::all_of(thresholds.begin(), thresholds.end(), is_finite)) {
    throw ParameterError("a decision value or threshold is not finite");
  }
}

/// Contribution of one sample to the means.
struct SampleScores {
  double wrong = 0.0;           ///< share of wrong labels
  double disordered = 0.0;      ///< share of disordered pairs
  double coverage = 0.0;        ///< rank of its last label
  double mean_precision = 1.0;  ///< over the ranks of its labels
};

/// A decision value of a sample, and the number of labels that share it.
struct LabelTie {
  double relevant = 0.0;
  double others = 0.0;
};

/// The labels of sample i by descending decision value, ties together.
std::vector<LabelTie> ranked_labels(const MultiLabels& truth, ConstSpan decision, Index i,
                                    std::vector<Index>& order) {
  const auto value = [&](Index t) { return decision[to_size(t)]; };
  std::sort(order.begin(), order.end(), [&](Index s, Index t) { return value(s) > value(t); });
  std::vector<LabelTie> ties;
  double first_of_tie = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || !tied(first_of_tie, value(order[k]))) {
      ties.emplace_back();
      first_of_tie = value(order[k]);
    }
    (truth.has(i, order[k]) ? ties.back().relevant : ties.back().others) += 1.0;
  }
  return ties;
}

/// Computes the scores that depend on the ranking of the labels.
void score_order(const std::vector<LabelTie>& ties, SampleScores& scores) {
  double relevant = 0.0;
  double others = 0.0;
  double disordered = 0.0;
  double precisions = 0.0;
  for (const LabelTie& tie : ties) {
    relevant += tie.relevant;
    others += tie.others;
    disordered += tie.relevant * others;
    precisions += tie.relevant * relevant / (relevant + others);
    if (tie.relevant > 0.0) scores.coverage = relevant + others;
  }
  if (relevant == 0.0 || others == 0.0) return;
  scores.disordered = disordered / (relevant * others);
  scores.mean_precision = precisions / relevant;
}

/// \param predicted of this sample; \param weight of the sample in `counts`
SampleScores scores_of(const MultiLabels& truth, ConstSpan decision,
                       std::span<const unsigned char> predicted, Index i, double weight,
                       std::vector<Confusion>& counts) {
  SampleScores scores;
  std::vector<Index> order = index_range(0, length(truth.names));
  score_order(ranked_labels(truth, decision, i, order), scores);
  Index wrong = 0;
  for (const Index t : order) {
    const auto at = to_size(t);
    const bool called = predicted[at] != 0;
    count_outcome(truth.has(i, t), called, weight, counts[at]);
    wrong += truth.has(i, t) == called ? 0 : 1;
  }
  scores.wrong = static_cast<double>(wrong) / static_cast<double>(order.size());
  return scores;
}

Vector each(const std::vector<SampleScores>& samples, double SampleScores::*score) {
  Vector values;
  for (const SampleScores& sample : samples) values.push_back(sample.*score);
  return values;
}

/// Mean of shares. Interval: Wilson's, with the number of trials that gives the standard error of
/// the mean.
Metric mean_share(const char* name, ConstSpan shares, ConstSpan weights) {
  const double mean = mean_of_values(shares, weights);
  if (shares.size() < 2) return {name, mean, {}, {}};
  const double error = standard_error(shares, weights);
  const double n = weights.empty() ? static_cast<double>(shares.size()) : effective_size(weights);
  return with_wilson_interval(name, mean, effective_trials(mean, error * error, n));
}

Metric subset_accuracy(ConstSpan wrong, ConstSpan weights) {
  double exact = 0.0;
  double all = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const double weight = weight_at(weights, i);
    exact += wrong[i] == 0.0 ? weight : 0.0;
    all += weight;
    squares += squared(weight);
  }
  return weighted_proportion("subset_accuracy", exact, all, squares);
}

std::vector<Metric> sample_metrics(const std::vector<SampleScores>& samples, ConstSpan weights) {
  const Vector wrong = each(samples, &SampleScores::wrong);
  return {subset_accuracy(wrong, weights), mean_share("hamming_loss", wrong, weights),
          mean_share("ranking_loss", each(samples, &SampleScores::disordered), weights),
          mean_metric("coverage_error", each(samples, &SampleScores::coverage), weights),
          mean_share("label_ranking_average_precision",
                     each(samples, &SampleScores::mean_precision), weights)};
}

Matrix signs_of(const MultiLabels& truth) {
  Matrix signs(truth.samples(), length(truth.names));
  std::transform(truth.values.begin(), truth.values.end(), signs.values.begin(),
                 [](unsigned char has) { return has != 0 ? 1.0 : -1.0; });
  return signs;
}

}  // namespace

MultilabelEvaluation evaluate_labels(const MultiLabels& truth, const Matrix& decision,
                                     ConstSpan thresholds) {
  check_labels(truth, decision, thresholds);
  std::vector<unsigned char> predicted;
  for (Index i = 0; i < decision.rows; ++i) {
    for (Index t = 0; t < decision.cols; ++t) {
      const double threshold = thresholds.empty() ? 0.0 : thresholds[to_size(t)];
      predicted.push_back(decision(i, t) >= threshold ? 1 : 0);
    }
  }
  return evaluate_labels(truth, decision, predicted);
}

MultilabelEvaluation evaluate_labels(const MultiLabels& truth, const Matrix& decision,
                                     const std::vector<unsigned char>& predicted,
                                     ConstSpan weights) {
  check_labels(truth, decision, {});
  require_weights(weights, to_size(truth.samples()));
  if (predicted.size() != decision.values.size()) {
    throw ParameterError(fmt::format("evaluation needs {} predicted labels, got {}",
                                     decision.values.size(), predicted.size()));
  }
  const std::span<const unsigned char> all = predicted;
  const std::size_t labels = truth.names.size();
  MultilabelEvaluation result;
  result.samples = truth.samples();
  result.counts.resize(truth.names.size());
  std::vector<SampleScores> samples;
  for (Index i = 0; i < result.samples; ++i) {
    samples.push_back(scores_of(truth, decision.row(i), all.subspan(to_size(i) * labels, labels), i,
                                weight_at(weights, to_size(i)), result.counts));
  }
  if (weights.empty()) {
    for (Confusion& one : result.counts) one.squares.reset();
  }
  result.metrics = sample_metrics(samples, weights);
  result.classwise = count_metrics(result.counts);
  const auto ranked = ranking_metrics(signs_of(truth), decision, weights);
  result.classwise.insert(result.classwise.end(), ranked.begin(), ranked.end());
  return result;
}

}  // namespace kernmix
