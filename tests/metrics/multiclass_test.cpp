#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"

namespace kernmix::testing {
namespace {

using Codes = std::vector<Index>;

const std::vector<std::string> kThree = {"cat", "dog", "eel"};

std::size_t to_size(Index i) { return static_cast<std::size_t>(i); }

/// Samples of up to K classes with decision values that tie often; argmax predicts.
struct ClassSample {
  std::vector<std::string> names;
  Codes truth, predicted;
  Matrix decision;

  [[nodiscard]] MulticlassEvaluation evaluate() const {
    return evaluate_classes(names, truth, predicted, decision);
  }
};

ClassSample any_classes(Index classes) {
  ClassSample sample;
  sample.decision = Matrix(*rc::gen::inRange<Index>(1, 25), classes);
  for (Index k = 0; k < classes; ++k) sample.names.push_back("class " + std::to_string(k));
  for (double& value : sample.decision.values) value = *rc::gen::inRange(-5, 6) / 4.0;
  for (Index i = 0; i < sample.decision.rows; ++i) {
    const ConstSpan row = sample.decision.row(i);
    sample.truth.push_back(*rc::gen::inRange<Index>(0, classes));
    sample.predicted.push_back(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return sample;
}

Codes any_order(Index n) {
  Codes order(to_size(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i) {
    std::swap(order[to_size(i)], order[to_size(*rc::gen::inRange<Index>(0, i + 1))]);
  }
  return order;
}

bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-12);
}

void require_same(const ClassAverage& a, const ClassAverage& b) {
  RC_ASSERT(same(a.micro, b.micro));
  RC_ASSERT(same(a.macro, b.macro));
  RC_ASSERT(same(a.weighted, b.weighted));
}

TEST(Multiclass, HandComputedExample) {
  const Codes truth = {0, 0, 0, 1, 1, 2};
  const Codes predicted = {0, 0, 1, 1, 2, 2};
  const auto result = evaluate_classes(kThree, truth, predicted, {});
  EXPECT_EQ(result.samples, 6);
  EXPECT_EQ(result.confusion.names, kThree);
  EXPECT_EQ(result.confusion.counts, (Vector{2, 1, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(result.metrics[0].name, "accuracy");
  EXPECT_DOUBLE_EQ(*result.metrics[0].value, 4.0 / 6.0);
  EXPECT_EQ(result.metrics[1].name, "balanced_accuracy");
  EXPECT_DOUBLE_EQ(*result.metrics[1].value, (2.0 / 3.0 + 0.5 + 1.0) / 3.0);
  ASSERT_EQ(result.classwise.size(), 3u) << "without decision values nothing ranks";
  EXPECT_EQ(result.classwise[0].name, "precision");
  EXPECT_DOUBLE_EQ(*result.classwise[0].classes[2].value, 0.5);
  EXPECT_DOUBLE_EQ(*result.classwise[0].average.macro, (1.0 + 0.5 + 0.5) / 3.0);
  EXPECT_DOUBLE_EQ(*result.classwise[0].average.weighted, (3.0 + 1.0 + 0.5) / 6.0);
}

TEST(Multiclass, AClassThatDoesNotOccurHasNoValueAndDoesNotCount) {
  const auto result = evaluate_classes(kThree, {0, 1}, {0, 0}, Matrix(2, 3));
  const auto classwise = [&](std::size_t k) { return result.classwise[k]; };
  EXPECT_EQ(classwise(0).name, "precision");
  EXPECT_FALSE(classwise(0).classes[1].value) << "never predicted";
  EXPECT_EQ(classwise(2).name, "f1");
  EXPECT_EQ(classwise(2).classes[1].value, 0.0) << "occurs but is never predicted";
  EXPECT_FALSE(classwise(2).classes[2].value);
  EXPECT_DOUBLE_EQ(*classwise(2).average.macro, (2.0 / 3.0 + 0.0) / 2.0);
  for (std::size_t k = 3; k < result.classwise.size(); ++k) {
    EXPECT_FALSE(classwise(k).classes[2].value) << classwise(k).name;
    EXPECT_TRUE(classwise(k).average.macro) << classwise(k).name;
  }
}

TEST(Multiclass, TwoClassesAreTheBinaryMetrics) {
  EXPECT_TRUE(rc::check([] {
    ClassSample sample = any_classes(2);
    Vector y, margin;
    for (Index i = 0; i < sample.decision.rows; ++i) {
      margin.push_back(sample.decision(i, 1));
      sample.decision(i, 0) = -margin.back();
      sample.predicted[to_size(i)] = margin.back() >= 0.0 ? 1 : 0;
      y.push_back(sample.truth[to_size(i)] == 1 ? 1.0 : -1.0);
    }
    const auto many = sample.evaluate();
    const Evaluation two = evaluate(y, margin);
    RC_ASSERT(many.metrics[0].value == two.metrics[0].value);
    RC_ASSERT(many.metrics[0].low == two.metrics[0].low);
    if (two.metrics[1].value) {
      RC_ASSERT(same(many.metrics[1].value, two.metrics[1].value));
      RC_ASSERT(same(many.metrics[1].low, two.metrics[1].low));
    }
    for (const Metric& expected : two.metrics) {
      for (const ClasswiseMetric& metric : many.classwise) {
        if (metric.name == expected.name) RC_ASSERT(metric.classes[1].value == expected.value);
      }
    }
  }));
}

TEST(Multiclass, MicroAveragesOfCountsAreTheAccuracy) {
  EXPECT_TRUE(rc::check([] {
    const auto result = any_classes(4).evaluate();
    for (std::size_t k = 0; k < 3; ++k) {
      RC_ASSERT(same(result.classwise[k].average.micro, result.metrics[0].value));
    }
    RC_ASSERT(same(result.classwise[1].average.macro, result.metrics[1].value));
    RC_ASSERT(same(result.classwise[1].average.weighted, result.metrics[0].value));
  }));
}

TEST(Multiclass, OrderOfSamplesAndClassesDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const ClassSample sample = any_classes(3);
    const Codes rows = any_order(length(sample.truth));
    const Codes classes = any_order(3);
    ClassSample moved = sample;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      moved.truth[i] = classes[to_size(sample.truth[to_size(rows[i])])];
      moved.predicted[i] = classes[to_size(sample.predicted[to_size(rows[i])])];
      for (Index k = 0; k < 3; ++k) {
        moved.decision(static_cast<Index>(i), classes[to_size(k)]) = sample.decision(rows[i], k);
      }
    }
    const auto a = sample.evaluate();
    const auto b = moved.evaluate();
    for (std::size_t k = 0; k < a.metrics.size(); ++k) {
      RC_ASSERT(same(a.metrics[k].value, b.metrics[k].value));
    }
    for (std::size_t m = 0; m < a.classwise.size(); ++m) {
      require_same(a.classwise[m].average, b.classwise[m].average);
      for (std::size_t k = 0; k < 3; ++k) {
        RC_ASSERT(same(a.classwise[m].classes[k].value,
                       b.classwise[m].classes[to_size(classes[k])].value));
      }
    }
  }));
}

TEST(Multiclass, RankingsIgnoreMonotoneTransforms) {
  EXPECT_TRUE(rc::check([] {
    const ClassSample sample = any_classes(3);
    ClassSample bent = sample;
    for (double& value : bent.decision.values) value = std::exp(value) - 7.0;
    const auto a = sample.evaluate();
    const auto b = bent.evaluate();
    for (std::size_t m = 3; m < a.classwise.size(); ++m) {
      RC_ASSERT(a.classwise[m].average.micro == b.classwise[m].average.micro);
      RC_ASSERT(a.classwise[m].average.macro == b.classwise[m].average.macro);
    }
  }));
}

TEST(Multiclass, PrecisionsAreOrdered) {
  EXPECT_TRUE(rc::check([] {
    const auto result = any_classes(3).evaluate();
    const auto& plain = result.classwise[4];
    const auto& interpolated = result.classwise[6];
    RC_ASSERT(plain.name == "average_precision");
    RC_ASSERT(interpolated.name == "average_precision_interpolated");
    for (std::size_t k = 0; k < 3; ++k) {
      if (!plain.classes[k].value) continue;
      RC_ASSERT(*plain.classes[k].value <= *interpolated.classes[k].value + 1e-15);
    }
  }));
}

TEST(Multiclass, RefusesWhatCannotBeEvaluated) {
  const auto refused = [](const Codes& truth, const Codes& predicted, const Matrix& decision) {
    EXPECT_THROW((void)evaluate_classes(kThree, truth, predicted, decision), ParameterError);
  };
  refused({}, {}, {});
  refused({0, 1}, {0}, {});
  refused({0, 3}, {0, 1}, {});
  refused({0, 1}, {0, -1}, {});
  refused({0, 1}, {0, 1}, Matrix(2, 2));
  refused({0, 1}, {0, 1}, Matrix(1, 3));
  Matrix infinite(2, 3);
  infinite(1, 1) = std::numeric_limits<double>::infinity();
  refused({0, 1}, {0, 1}, infinite);
  EXPECT_THROW((void)evaluate_classes({"one"}, {0}, {0}, {}), ParameterError);
}

}  // namespace
}  // namespace kernmix::testing
