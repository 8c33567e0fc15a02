#include "kernmix/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

const Metric& metric(const Evaluation& evaluation, const std::string& name) {
  for (const Metric& candidate : evaluation.metrics) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range(name);
}

/// Share of rightly ordered pairs, counted one by one.
double pair_count(const Vector& y, const Vector& decision) {
  double right = 0.0;
  double pairs = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (y[i] < 0.0 || y[j] > 0.0) continue;
      pairs += 1.0;
      right += decision[i] > decision[j] ? 1.0 : decision[i] == decision[j] ? 0.5 : 0.0;
    }
  }
  return right / pairs;
}

/// DeLong's variance from its definition: placements of every sample by counting.
double delong_variance(const Vector& y, const Vector& decision) {
  double variance = 0.0;
  for (const double sign : {1.0, -1.0}) {
    Vector placement;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] != sign) continue;
      double right = 0.0;
      double others = 0.0;
      for (std::size_t j = 0; j < y.size(); ++j) {
        if (y[j] == sign) continue;
        const double difference = sign * (decision[i] - decision[j]);
        others += 1.0;
        right += difference > 0.0 ? 1.0 : difference == 0.0 ? 0.5 : 0.0;
      }
      placement.push_back(right / others);
    }
    double mean = 0.0;
    for (const double value : placement) mean += value / static_cast<double>(placement.size());
    double squares = 0.0;
    for (const double value : placement) squares += (value - mean) * (value - mean);
    const auto count = static_cast<double>(placement.size());
    variance += squares / (count - 1.0) / count;
  }
  return variance;
}

/// Wilson's limits p by what defines them, |value - p| = z sqrt(p (1 - p) / n).
void expect_wilson_limits(const Metric& share, double n) {
  ASSERT_TRUE(share.low && share.high);
  for (const double p : {*share.low, *share.high}) {
    const double distance = std::abs(*share.value - p);
    EXPECT_NEAR(distance * distance, 1.959963984540054 * 1.959963984540054 * p * (1.0 - p) / n,
                1e-12);
  }
  EXPECT_LE(*share.low, *share.value);
  EXPECT_GE(*share.high, *share.value);
}

/// Those of the variance, with one more sample of all or nothing.
double effective_trials(double value, double variance, double samples) {
  return (value * (1.0 - value) + 1.0 / samples) / (variance + 1.0 / (samples * samples));
}

double smaller_class(const Vector& y) {
  const auto positives = static_cast<double>(std::count(y.begin(), y.end(), 1.0));
  return std::min(positives, static_cast<double>(y.size()) - positives);
}

/// Average precision where sample i counts weight[i] times, by counting for every positive sample.
double weighted_average_precision(const Vector& y, const Vector& decision, const Vector& weight) {
  double sum = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] < 0.0) continue;
    double right = 0.0;
    double called = 0.0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (decision[j] < decision[i]) continue;
      called += weight[j];
      right += y[j] > 0.0 ? weight[j] : 0.0;
    }
    sum += weight[i] * right / called;
    all += weight[i];
  }
  return sum / all;
}

/// sum_i (d value / d weight_i)^2, the infinitesimal jackknife, by differences.
double jackknife_variance(const Vector& y, const Vector& decision) {
  constexpr double h = 1e-4;
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Vector more(y.size(), 1.0);
    Vector less(y.size(), 1.0);
    more[i] += h;
    less[i] -= h;
    const double slope = (weighted_average_precision(y, decision, more) -
                          weighted_average_precision(y, decision, less)) /
                         (2.0 * h);
    sum += slope * slope;
  }
  return sum;
}

struct Sample {
  Vector y;
  Vector decision;
};

Sample any_sample() {
  const auto size = *rc::gen::inRange<std::size_t>(4, 40);
  Sample sample;
  for (std::size_t i = 0; i < size; ++i) {
    sample.y.push_back(i < 2 ? 1.0 : i < 4 ? -1.0 : *rc::gen::element(-1.0, 1.0));
    sample.decision.push_back(*rc::gen::inRange(-5, 6) / 4.0);
  }
  return sample;
}

TEST(Metrics, HandComputedExample) {
  const Vector y = {1, 1, 1, -1, -1, -1, -1, 1};
  const Vector decision = {2.0, 1.0, -0.5, 1.5, -1.0, -2.0, -3.0, 0.0};
  const Evaluation result = evaluate(y, decision);
  EXPECT_EQ(result.samples, 8);
  EXPECT_EQ(result.positives, 4);
  EXPECT_EQ(result.confusion.true_positive, 3);  // 0 counts as positive
  EXPECT_EQ(result.confusion.false_negative, 1);
  EXPECT_EQ(result.confusion.false_positive, 1);
  EXPECT_EQ(result.confusion.true_negative, 3);
  EXPECT_DOUBLE_EQ(*metric(result, "accuracy").value, 0.75);
  EXPECT_DOUBLE_EQ(*metric(result, "balanced_accuracy").value, 0.75);
  EXPECT_DOUBLE_EQ(*metric(result, "f1").value, 0.75);
  EXPECT_DOUBLE_EQ(*metric(result, "precision").value, 0.75);
  EXPECT_DOUBLE_EQ(*metric(result, "recall").value, 0.75);
  EXPECT_DOUBLE_EQ(*metric(result, "specificity").value, 0.75);
  EXPECT_DOUBLE_EQ(*metric(result, "auc").value, 13.0 / 16.0);
  // Descending: + - + + + - - -, so precisions at the positives are 1, 2/3, 3/4, 4/5.
  EXPECT_DOUBLE_EQ(*metric(result, "average_precision").value,
                   (1.0 + 2.0 / 3.0 + 3.0 / 4.0 + 4.0 / 5.0) / 4.0);
}

TEST(Metrics, WilsonIntervalOfTheTextbook) {
  // 8 of 10: (0.8 + 0.19207) / 1.38415 = 0.71674, half width 0.22661 (z = 1.959964).
  const Metric eight = proportion("x", 8, 10);
  EXPECT_NEAR(*eight.low, 0.4901624715, 1e-9);
  EXPECT_NEAR(*eight.high, 0.9433178485, 1e-9);
  EXPECT_EQ(*proportion("x", 0, 5).low, 0.0);
  EXPECT_EQ(*proportion("x", 5, 5).high, 1.0);
  EXPECT_FALSE(proportion("x", 0, 0).value);
}

TEST(Metrics, OneMissingClassLeavesValuesAbsent) {
  const Evaluation result = evaluate(Vector{1, 1, 1}, Vector{0.5, 1.0, -1.0});
  EXPECT_TRUE(metric(result, "accuracy").value);
  EXPECT_TRUE(metric(result, "recall").value);
  EXPECT_FALSE(metric(result, "auc").value);
  EXPECT_FALSE(metric(result, "specificity").value);
  EXPECT_FALSE(metric(result, "balanced_accuracy").value);
  EXPECT_TRUE(result.roc.empty());
  const Evaluation negative = evaluate(Vector{-1, -1}, Vector{-0.5, -1.0});
  EXPECT_FALSE(metric(negative, "average_precision").value);
  EXPECT_FALSE(metric(negative, "precision").value);
  EXPECT_FALSE(metric(negative, "f1").value);
}

TEST(Metrics, PerfectAndConstantRankings) {
  const Vector y = {1, 1, -1, -1};
  EXPECT_EQ(*auc(y, Vector{2, 1, -1, -2}).value, 1.0);
  expect_wilson_limits(auc(y, Vector{2, 1, -1, -2}), 2.0);
  expect_wilson_limits(average_precision(y, Vector{2, 1, -1, -2}), 2.0);
  EXPECT_EQ(*auc(y, Vector{-2, -1, 1, 2}).value, 0.0);
  EXPECT_EQ(*auc(y, Vector{1, 1, 1, 1}).value, 0.5);
  EXPECT_EQ(*average_precision(y, Vector{2, 1, -1, -2}).value, 1.0);
  EXPECT_EQ(*average_precision(y, Vector{1, 1, 1, 1}).value, 0.5);
}

TEST(Metrics, RankingEqualsBruteForce) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    const Metric area = auc(sample.y, sample.decision);
    RC_ASSERT(std::abs(*area.value - pair_count(sample.y, sample.decision)) < 1e-12);
    expect_wilson_limits(area,
                         effective_trials(*area.value, delong_variance(sample.y, sample.decision),
                                          smaller_class(sample.y)));
  }));
}

TEST(Metrics, VarianceOfTheAveragePrecisionIsThatOfTheInfinitesimalJackknife) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    const Metric precision = average_precision(sample.y, sample.decision);
    const double positives = static_cast<double>(std::count(sample.y.begin(), sample.y.end(), 1.0));
    const double variance = jackknife_variance(sample.y, sample.decision);
    const double trials = effective_trials(*precision.value, variance, positives);
    const double p = *precision.low;
    // Differences of second order: 1e-8 of the slope.
    const double expected = 1.959963984540054 * std::sqrt(p * (1.0 - p) / trials);
    RC_ASSERT(std::abs(*precision.value - p - expected) < 1e-6);
  }));
}

/// Three values, each of both classes: every pair with equal values counts one half, on both sides.
TEST(Metrics, TiesOfBothClassesCountOneHalf) {
  const Vector y = {1, 1, -1, 1, -1, -1, 1, -1, -1};
  const Vector decision = {2, 2, 2, 1, 1, 1, 0, 0, 0};
  const Metric area = auc(y, decision);
  EXPECT_NEAR(*area.value, pair_count(y, decision), 1e-15);
  EXPECT_NEAR(*area.value, (0.9 + 0.9 + 0.6 + 0.2) / 4.0, 1e-15);
  const double positives = (2 * 0.25 * 0.25 + 0.05 * 0.05 + 0.45 * 0.45) / 3.0 / 4.0;
  const Vector right = {0.25, 0.625, 0.625, 0.875, 0.875};  // of the negatives
  double negatives = 0.0;
  for (const double placement : right) negatives += (placement - 0.65) * (placement - 0.65) / 20.0;
  EXPECT_NEAR(delong_variance(y, decision), positives + negatives, 1e-15);
  expect_wilson_limits(area, effective_trials(0.65, positives + negatives, 4.0));
}

TEST(Metrics, IntervalsHoldTheirValueAndStayInTheUnitInterval) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    for (const Metric& each : evaluate(sample.y, sample.decision).metrics) {
      RC_ASSERT(each.low.has_value() == each.high.has_value());
      if (!each.low) continue;
      RC_ASSERT(0.0 <= *each.low && *each.low <= *each.value + 1e-15);
      RC_ASSERT(*each.value <= *each.high + 1e-15 && *each.high <= 1.0);
    }
  }));
}

TEST(Metrics, AreaUnderTheCurveIsTheTrapezoidSumOfTheRocPoints) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    const auto points = roc_curve(sample.y, sample.decision);
    double area = 0.0;
    for (std::size_t k = 1; k < points.size(); ++k) {
      area += (points[k].false_positive_rate - points[k - 1].false_positive_rate) *
              (points[k].true_positive_rate + points[k - 1].true_positive_rate) / 2.0;
    }
    RC_ASSERT(points.back().false_positive_rate == 1.0);
    RC_ASSERT(points.back().true_positive_rate == 1.0);
    RC_ASSERT(std::abs(area - *auc(sample.y, sample.decision).value) < 1e-12);
  }));
}

TEST(Metrics, RefusesWhatCannotBeEvaluated) {
  EXPECT_THROW((void)evaluate(Vector{1, -1}, Vector{1}), ParameterError);
  EXPECT_THROW((void)evaluate(Vector{}, Vector{}), ParameterError);
  EXPECT_THROW((void)evaluate(Vector{1, 0}, Vector{1, 1}), ParameterError);
  EXPECT_THROW((void)evaluate(Vector{1, -1}, Vector{1, std::nan("")}), ParameterError);
}

}  // namespace
}  // namespace kernmix
