#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"

namespace kernmix::testing {
namespace {

struct LabelSample {
  MultiLabels truth;
  Matrix decision;

  [[nodiscard]] MultilabelEvaluation evaluate(ConstSpan thresholds = {}) const {
    return evaluate_labels(truth, decision, thresholds);
  }
};

LabelSample sample_with(Index n, Index labels) {
  LabelSample sample;
  for (Index t = 0; t < labels; ++t) sample.truth.names.push_back(std::to_string(t));
  sample.truth.values.resize(static_cast<std::size_t>(n * labels));
  sample.decision = Matrix(n, labels);
  return sample;
}

/// Decision values that tie often, also samples without labels and with all.
LabelSample any_labels() {
  LabelSample sample = sample_with(*rc::gen::inRange<Index>(1, 20), *rc::gen::inRange<Index>(1, 6));
  for (auto& has : sample.truth.values) has = *rc::gen::element<unsigned char>(0, 1);
  for (double& value : sample.decision.values) value = *rc::gen::inRange(-5, 6) / 4.0;
  return sample;
}

double value_of(const MultilabelEvaluation& result, const std::string& name) {
  for (const Metric& metric : result.metrics) {
    if (metric.name == name) return *metric.value;
  }
  throw std::out_of_range(name);
}

bool near(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-12);
}

TEST(Multilabel, HandComputedExample) {
  LabelSample sample = sample_with(2, 3);
  sample.truth.values = {1, 0, 0, 0, 1, 1};
  sample.decision.values = {0.5, 1.0, -1.0, 2.0, 0.0, -2.0};
  const auto result = sample.evaluate();
  EXPECT_EQ(result.samples, 2);
  EXPECT_EQ(result.counts[1].true_positive, 1) << "0 counts as predicted";
  EXPECT_EQ(value_of(result, "subset_accuracy"), 0.0);
  EXPECT_DOUBLE_EQ(value_of(result, "hamming_loss"), (1.0 + 2.0) / 6.0);
  EXPECT_DOUBLE_EQ(value_of(result, "ranking_loss"), (0.5 + 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(value_of(result, "coverage_error"), (2.0 + 3.0) / 2.0);
  EXPECT_DOUBLE_EQ(value_of(result, "label_ranking_average_precision"),
                   (1.0 / 2.0 + (1.0 / 2.0 + 2.0 / 3.0) / 2.0) / 2.0);
}

TEST(Multilabel, ThresholdsOfEachLabelChangeWhatIsPredictedAndNotTheRanking) {
  LabelSample sample = sample_with(1, 2);
  sample.truth.values = {1, 0};
  sample.decision.values = {-1.0, 0.5};
  EXPECT_EQ(value_of(sample.evaluate(), "subset_accuracy"), 0.0);
  const auto tuned = sample.evaluate(Vector{-1.0, 0.75});
  EXPECT_EQ(value_of(tuned, "subset_accuracy"), 1.0);
  EXPECT_EQ(value_of(tuned, "ranking_loss"), 1.0);
}

TEST(Multilabel, OneLabelHasNothingToRank) {
  LabelSample sample = sample_with(3, 1);
  sample.truth.values = {1, 0, 1};
  const auto result = sample.evaluate();
  EXPECT_EQ(value_of(result, "ranking_loss"), 0.0);
  EXPECT_EQ(value_of(result, "label_ranking_average_precision"), 1.0);
  EXPECT_DOUBLE_EQ(value_of(result, "coverage_error"), 2.0 / 3.0);
}

TEST(Multilabel, LabelsAreTheBinaryMetrics) {
  EXPECT_TRUE(rc::check([] {
    const LabelSample sample = any_labels();
    const auto result = sample.evaluate();
    double right = 0.0;
    for (Index t = 0; t < sample.decision.cols; ++t) {
      Vector values;
      for (Index i = 0; i < sample.decision.rows; ++i) values.push_back(sample.decision(i, t));
      const Evaluation one = evaluate(sample.truth.signs(t), values);
      right += *one.metrics[0].value / static_cast<double>(sample.decision.cols);
      for (const Metric& expected : one.metrics) {
        for (const ClasswiseMetric& metric : result.classwise) {
          if (metric.name != expected.name) continue;
          const Metric& found = metric.classes[static_cast<std::size_t>(t)];
          RC_ASSERT(found.value == expected.value && found.low == expected.low);
        }
      }
    }
    RC_ASSERT(std::abs(1.0 - right - value_of(result, "hamming_loss")) < 1e-12);
    RC_ASSERT(value_of(result, "subset_accuracy") <= right + 1e-12);
  }));
}

TEST(Multilabel, OrderOfSamplesAndLabelsDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const LabelSample sample = any_labels();
    const Index n = sample.decision.rows;
    const Index labels = sample.decision.cols;
    LabelSample turned = sample_with(n, labels);  // both orders reversed
    for (Index i = 0; i < n; ++i) {
      for (Index t = 0; t < labels; ++t) {
        turned.decision(n - 1 - i, labels - 1 - t) = sample.decision(i, t);
      }
    }
    turned.truth.values.assign(sample.truth.values.rbegin(), sample.truth.values.rend());
    const auto a = sample.evaluate();
    const auto b = turned.evaluate();
    for (std::size_t k = 0; k < a.metrics.size(); ++k) {
      RC_ASSERT(near(a.metrics[k].value, b.metrics[k].value));
      RC_ASSERT(near(a.metrics[k].low, b.metrics[k].low));
    }
    for (std::size_t m = 0; m < a.classwise.size(); ++m) {
      RC_ASSERT(near(a.classwise[m].average.micro, b.classwise[m].average.micro));
      RC_ASSERT(near(a.classwise[m].average.macro, b.classwise[m].average.macro));
      RC_ASSERT(near(a.classwise[m].average.weighted, b.classwise[m].average.weighted));
    }
  }));
}

TEST(Multilabel, RankingsIgnoreMonotoneTransforms) {
  EXPECT_TRUE(rc::check([] {
    const LabelSample sample = any_labels();
    LabelSample bent = sample;
    for (double& value : bent.decision.values) value = value * value * value + 2.0 * value + 3.0;
    const auto a = sample.evaluate();
    const auto b = bent.evaluate();
    for (std::size_t k = 2; k < a.metrics.size(); ++k) {
      RC_ASSERT(a.metrics[k].value == b.metrics[k].value);
    }
    for (std::size_t m = 3; m < a.classwise.size(); ++m) {
      RC_ASSERT(a.classwise[m].average.micro == b.classwise[m].average.micro);
      RC_ASSERT(a.classwise[m].average.macro == b.classwise[m].average.macro);
    }
  }));
}

TEST(Multilabel, IntervalsHoldTheirValue) {
  EXPECT_TRUE(rc::check([] {
    for (const Metric& metric : any_labels().evaluate().metrics) {
      RC_ASSERT(metric.low.has_value() == metric.high.has_value());
      if (!metric.low) continue;
      RC_ASSERT(0.0 <= *metric.low && *metric.low <= *metric.value + 1e-15);
      RC_ASSERT(*metric.value <= *metric.high + 1e-15);
      if (metric.name != "coverage_error") RC_ASSERT(*metric.high <= 1.0);
    }
  }));
}

TEST(Multilabel, RefusesWhatCannotBeEvaluated) {
  LabelSample sample = sample_with(2, 2);
  EXPECT_THROW((void)sample.evaluate(Vector{1}), ParameterError);
  EXPECT_THROW((void)sample.evaluate(Vector{1, std::nan("")}), ParameterError);
  EXPECT_THROW((void)evaluate_labels(sample.truth, Matrix(2, 3)), ParameterError);
  EXPECT_THROW((void)evaluate_labels(sample.truth, Matrix(1, 2)), ParameterError);
  EXPECT_THROW((void)evaluate_labels({}, {}), ParameterError);
  EXPECT_THROW((void)evaluate_labels({{"a"}, {}}, Matrix(0, 1)), ParameterError);
  sample.decision(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)sample.evaluate(), ParameterError);
}

}  // namespace
}  // namespace kernmix::testing
