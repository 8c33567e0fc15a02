// Log loss, Brier score and reliability of probabilities.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/shape.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "metrics/intervals.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

constexpr Index kReliabilityBins = 10;

void require_probabilities(ConstSpan values) {
  const auto allowed = [](double p) { return p >= 0.0 && p <= 1.0; };
  if (std::ranges::all_of(values, allowed)) return;
  throw ParameterError("a probability is not between 0 and 1");
}

/// -log p of the observed outcome; p = 0 is replaced by the machine epsilon.
double surprise(double p) {
  return -std::log(std::clamp(p, std::numeric_limits<double>::epsilon(), 1.0));
}

/// Forecasts of an event and the outcomes.
struct Forecasts {
  Vector probability;
  std::vector<bool> happened;
  ConstSpan weights;
};

std::vector<ReliabilityBin> reliability_of(const Forecasts& forecasts) {
  std::vector<Index> samples(to_size(kReliabilityBins), 0);
  Vector weights(samples.size(), 0.0);
  Vector squares(samples.size(), 0.0);
  Vector hits(samples.size(), 0.0);
  Vector sum(samples.size(), 0.0);
  for (std::size_t i = 0; i < forecasts.probability.size(); ++i) {
    const double p = forecasts.probability[i];
    const auto place = static_cast<Index>(p * static_cast<double>(kReliabilityBins));
    const std::size_t bin = to_size(std::min(place, kReliabilityBins - 1));
    const double weight = weight_at(forecasts.weights, i);
    ++samples[bin];
    weights[bin] += weight;
    squares[bin] += squared(weight);
    hits[bin] += forecasts.happened[i] ? weight : 0.0;
    sum[bin] += weight * p;
  }
  std::vector<ReliabilityBin> bins;
  for (std::size_t b = 0; b < samples.size(); ++b) {
    if (samples[b] == 0) continue;
    bins.push_back({static_cast<double>(b) / static_cast<double>(kReliabilityBins),
                    static_cast<double>(b + 1) / static_cast<double>(kReliabilityBins), samples[b],
                    weights[b], sum[b] / weights[b],
                    weighted_proportion("observed", hits[b], weights[b], squares[b])});
  }
  return bins;
}

/// sum_b n_b / n |mean p_b - share_b|: a share of all samples.
Metric calibration_error(const std::vector<ReliabilityBin>& bins) {
  double sum = 0.0;
  double weight = 0.0;
  for (const ReliabilityBin& bin : bins) {
    sum += bin.weight * std::abs(bin.predicted - *bin.observed.value);
    weight += bin.weight;
  }
  return {"expected_calibration_error", sum / weight, {}, {}};
}

Metric mean_loss(const std::string& name, ConstSpan values, ConstSpan weights) {
  if (values.size() < 2) return {name, mean_of_values(values), {}, {}};
  return mean_metric(name, values, weights);
}

ProbabilityEvaluation evaluation_of(ConstSpan surprises, ConstSpan squares,
                                    const Forecasts& forecasts) {
  ProbabilityEvaluation result;
  result.reliability = reliability_of(forecasts);
  result.metrics = {mean_loss("log_loss", surprises, forecasts.weights),
                    mean_loss("brier_score", squares, forecasts.weights),
                    calibration_error(result.reliability)};
  return result;
}

}  // namespace

ProbabilityEvaluation evaluate_probabilities(ConstSpan y, ConstSpan probability,
                                             ConstSpan weights) {
  if (y.empty() || y.size() != probability.size()) {
    throw ParameterError(
        fmt::format("evaluation needs one probability for each of at least one label, got {} "
                    "labels and {} probabilities",
                    y.size(), probability.size()));
  }
  require_probabilities(probability);
  require_weights(weights, y.size());
  Forecasts forecasts{{probability.begin(), probability.end()}, {}, weights};
  Vector surprises;
  Vector squares;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double p = probability[i];
    const bool positive = y[i] > 0.0;
    forecasts.happened.push_back(positive);
    surprises.push_back(surprise(positive ? p : 1.0 - p));
    squares.push_back(positive ? (1.0 - p) * (1.0 - p) : p * p);
  }
  return evaluation_of(surprises, squares, forecasts);
}

ProbabilityEvaluation evaluate_class_probabilities(const std::vector<Index>& truth,
                                                   const Matrix& probability, ConstSpan weights) {
  require_shape("probabilities", probability);
  require_probabilities(probability.values);
  if (truth.empty() || static_cast<Index>(truth.size()) != probability.rows) {
    throw ParameterError(
        fmt::format("evaluation needs probabilities for each of at least one sample, got {} "
                    "samples and {} rows",
                    truth.size(), probability.rows));
  }
  require_weights(weights, truth.size());
  Forecasts forecasts{{}, {}, weights};
  Vector surprises;
  Vector squares;
  for (Index i = 0; i < probability.rows; ++i) {
    const ConstSpan p = probability.row(i);
    const std::size_t own = to_size(truth[to_size(i)]);
    if (own >= p.size()) throw ParameterError(fmt::format("class {} has no probability", own));
    const auto largest = std::ranges::max_element(p);
    forecasts.probability.push_back(*largest);
    forecasts.happened.push_back(to_size(largest - p.begin()) == own);
    surprises.push_back(surprise(p[own]));
    double square = 0.0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double miss = p[k] - (k == own ? 1.0 : 0.0);
      square += miss * miss;
    }
    squares.push_back(square);
  }
  return evaluation_of(surprises, squares, forecasts);
}

}  // namespace kernmix
