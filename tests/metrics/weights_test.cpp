// Whole weights are repetitions: every value of weighted samples is that of the repeated ones.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"

namespace kernmix::testing {
namespace {

struct WeightedSamples {
  Vector weights;
  std::vector<std::size_t> repeated;  ///< each sample as often as its weight
};

WeightedSamples any_weights(std::size_t n, int most) {
  WeightedSamples all;
  for (std::size_t i = 0; i < n; ++i) {
    all.weights.push_back(*rc::gen::inRange(1, most + 1));
    all.repeated.insert(all.repeated.end(), static_cast<std::size_t>(all.weights.back()), i);
  }
  return all;
}

template <typename Values>
Values taken(const Values& values, const std::vector<std::size_t>& places) {
  Values some;
  for (const std::size_t i : places) some.push_back(values[i]);
  return some;
}

Matrix taken(const Matrix& values, const std::vector<std::size_t>& places) {
  Matrix some(static_cast<Index>(places.size()), values.cols);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::ranges::copy(values.row(static_cast<Index>(places[i])),
                      some.row(static_cast<Index>(i)).begin());
  }
  return some;
}

void require_near(const std::optional<double>& left, const std::optional<double>& right) {
  RC_ASSERT(left.has_value() == right.has_value());
  if (left) RC_ASSERT(std::abs(*left - *right) <= 1e-9 * (1.0 + std::abs(*right)));
}

void require_equal_values(const std::vector<Metric>& left, const std::vector<Metric>& right) {
  RC_ASSERT(left.size() == right.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    RC_ASSERT(left[k].name == right[k].name);
    require_near(left[k].value, right[k].value);
  }
}

void require_equal_limits(const std::vector<Metric>& left, const std::vector<Metric>& right) {
  for (std::size_t k = 0; k < left.size(); ++k) {
    require_near(left[k].low, right[k].low);
    require_near(left[k].high, right[k].high);
  }
}

void require_equal_values(const std::vector<ClasswiseMetric>& left,
                          const std::vector<ClasswiseMetric>& right) {
  RC_ASSERT(left.size() == right.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    require_equal_values(left[k].classes, right[k].classes);
    require_near(left[k].average.micro, right[k].average.micro);
    require_near(left[k].average.macro, right[k].average.macro);
    require_near(left[k].average.weighted, right[k].average.weighted);
  }
}

std::size_t any_size() { return *rc::gen::inRange<std::size_t>(1, 25); }

Vector any_values(std::size_t n) {
  Vector values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(*rc::gen::inRange(-5, 6) / 4.0);
  return values;
}

Vector any_signs(std::size_t n) {
  Vector signs;
  for (std::size_t i = 0; i < n; ++i) signs.push_back(*rc::gen::inRange(0, 2) == 1 ? 1.0 : -1.0);
  return signs;
}

Matrix any_matrix(std::size_t n, Index columns) {
  Matrix matrix(static_cast<Index>(n), columns);
  for (double& value : matrix.values) value = *rc::gen::inRange(-5, 6) / 4.0;
  return matrix;
}

RC_GTEST_PROP(WeightedMetrics, OfTwoClassesAreThoseOfRepeatedSamples, ()) {
  const std::size_t n = any_size();
  const Vector y = any_signs(n);
  const Vector f = any_values(n);
  const WeightedSamples w = any_weights(n, 4);
  const Vector y2 = taken(y, w.repeated);
  const Vector f2 = taken(f, w.repeated);
  const Evaluation weighted = evaluate(y, f, f, w.weights);
  const Evaluation repeated = evaluate(y2, f2);
  require_equal_values(weighted.metrics, repeated.metrics);
  RC_ASSERT(weighted.confusion.true_positive == repeated.confusion.true_positive);
  RC_ASSERT(weighted.confusion.false_positive == repeated.confusion.false_positive);
  RC_ASSERT(weighted.roc.size() == repeated.roc.size());
  for (const auto metric : {average_precision_11_point, average_precision_interpolated, auc_pr}) {
    require_near(metric(y, f, w.weights).value, metric(y2, f2, {}).value);
  }
  require_near(outlier_fraction(f, w.weights).value, outlier_fraction(f2).value);
}

RC_GTEST_PROP(WeightedMetrics, OfProbabilitiesAreThoseOfRepeatedSamples, ()) {
  const std::size_t n = any_size();
  Vector p;
  for (const double value : any_values(n)) p.push_back((value + 1.25) / 2.5);
  const Vector y = any_signs(n);
  const WeightedSamples w = any_weights(n, 4);
  require_equal_values(evaluate_probabilities(y, p, w.weights).metrics,
                       evaluate_probabilities(taken(y, w.repeated), taken(p, w.repeated)).metrics);
}

RC_GTEST_PROP(WeightedMetrics, OfClassesAreThoseOfRepeatedSamples, ()) {
  const std::size_t n = any_size();
  const std::vector<std::string> names = {"a", "b", "c"};
  std::vector<Index> truth;
  std::vector<Index> predicted;
  for (std::size_t i = 0; i < n; ++i) {
    truth.push_back(*rc::gen::inRange<Index>(0, 3));
    predicted.push_back(*rc::gen::inRange<Index>(0, 3));
  }
  const Matrix f = any_matrix(n, 3);
  const WeightedSamples w = any_weights(n, 4);
  const auto weighted = evaluate_classes(names, truth, predicted, f, w.weights);
  const auto repeated = evaluate_classes(names, taken(truth, w.repeated),
                                         taken(predicted, w.repeated), taken(f, w.repeated));
  require_equal_values(weighted.metrics, repeated.metrics);
  require_equal_values(weighted.classwise, repeated.classwise);
  RC_ASSERT(weighted.confusion.counts == repeated.confusion.counts);
}

RC_GTEST_PROP(WeightedMetrics, OfLabelsAreThoseOfRepeatedSamples, ()) {
  const std::size_t n = any_size();
  const Matrix f = any_matrix(n, 3);
  MultiLabels truth{{"a", "b", "c"}, {}};
  for (std::size_t i = 0; i < 3 * n; ++i) truth.values.push_back(*rc::gen::inRange(0, 2) == 1);
  const WeightedSamples w = any_weights(n, 4);
  MultiLabels repeated{truth.names, {}};
  for (const std::size_t i : w.repeated) {
    const auto first = truth.values.begin() + static_cast<Index>(3 * i);
    repeated.values.insert(repeated.values.end(), first, first + 3);
  }
  const auto predicted = [](const Matrix& values) {
    std::vector<unsigned char> labels;
    for (const double value : values.values) labels.push_back(value >= 0.0 ? 1 : 0);
    return labels;
  };
  const Matrix f2 = taken(f, w.repeated);
  const auto left = evaluate_labels(truth, f, predicted(f), w.weights);
  const auto right = evaluate_labels(repeated, f2, predicted(f2));
  require_equal_values(left.metrics, right.metrics);
  require_equal_values(left.classwise, right.classwise);
}

RC_GTEST_PROP(WeightedMetrics, OfNumbersAreThoseOfRepeatedSamples, ()) {
  const std::size_t n = any_size();
  const Matrix y = any_matrix(n, 2);
  const Matrix f = any_matrix(n, 2);
  const WeightedSamples w = any_weights(n, 4);
  require_equal_values(
      evaluate_targets(parse_loss("pinball:tau=0.3"), y, f, w.weights),
      evaluate_targets(parse_loss("pinball:tau=0.3"), taken(y, w.repeated), taken(f, w.repeated)));
}

/// As many independent samples as there are: a common factor changes no interval.
RC_GTEST_PROP(WeightedMetrics, IntervalsDoNotDependOnTheFactorOfAllWeights, ()) {
  const std::size_t n = any_size();
  const Vector y = any_signs(n);
  const Vector f = any_values(n);
  const Vector three(n, 3.0);
  const Vector single = any_weights(n, 4).weights;
  Vector scaled = single;
  for (double& weight : scaled) weight *= 0.25;
  require_equal_limits(evaluate(y, f, f, three).metrics, evaluate(y, f).metrics);
  require_equal_limits(evaluate(y, f, f, scaled).metrics, evaluate(y, f, f, single).metrics);
  require_equal_limits(evaluate_numbers(parse_loss("squared"), y, f, three),
                       evaluate_numbers(parse_loss("squared"), y, f));
}

/// The same bits, so that a column of ones changes nothing.
RC_GTEST_PROP(WeightedMetrics, WeightsOfOneChangeNoBit, ()) {
  const std::size_t n = any_size();
  const Vector y = any_signs(n);
  const Vector f = any_values(n);
  const Vector ones(n, 1.0);
  const auto same = [](const std::vector<Metric>& left, const std::vector<Metric>& right) {
    for (std::size_t k = 0; k < left.size(); ++k) {
      RC_ASSERT(left[k].value == right[k].value);
      RC_ASSERT(left[k].low == right[k].low);
      RC_ASSERT(left[k].high == right[k].high);
    }
  };
  same(evaluate(y, f, f, ones).metrics, evaluate(y, f).metrics);
  same(evaluate_numbers(parse_loss("squared"), y, f, ones),
       evaluate_numbers(parse_loss("squared"), y, f));
}

TEST(WeightedMetrics, OneHeavySampleIsNoCrowd) {
  Vector y(40, 1.0);
  for (std::size_t i = 0; i < 20; ++i) y[i] = -1.0;
  const Vector& f = y;
  Vector weights(40, 1.0);
  weights.back() = 1000.0;
  const Evaluation even = evaluate(y, f);
  const Evaluation heavy = evaluate(y, f, f, weights);
  EXPECT_LT(*heavy.metrics.front().low, 0.6);  // "accuracy": one sample says nearly all
  EXPECT_GT(*even.metrics.front().low, 0.9);
}

TEST(WeightedMetrics, WrongWeightsAreRefused) {
  const Vector y = {1.0, -1.0};
  const auto evaluated = [&](const Vector& weights) { (void)evaluate(y, y, y, weights); };
  EXPECT_THROW(evaluated({1.0}), ParameterError);
  EXPECT_THROW(evaluated({1.0, 0.0}), ParameterError);
  EXPECT_THROW(evaluated({1.0, -1.0}), ParameterError);
  EXPECT_THROW(evaluated({1.0, std::numeric_limits<double>::quiet_NaN()}), ParameterError);
  EXPECT_THROW((void)auc(y, y, Vector{1.0, 0.0}), ParameterError);
  EXPECT_THROW((void)mean_metric("mae", y, Vector{1.0}), ParameterError);
}

}  // namespace
}  // namespace kernmix::testing
