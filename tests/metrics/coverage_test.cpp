/// \file
/// How often the 95 % intervals of every metric hold the value of the population: simulated samples
/// of populations whose values are known by formula, or from a sample so large that it is exact
/// enough.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "kernmix/metrics.hpp"

namespace kernmix {
namespace {

constexpr int repetitions = 1000;

using Values = std::map<std::string, double>;

/// The standard library's distributions differ between platforms.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform() { return (static_cast<double>(engine_()) + 0.5) / 4294967296.0; }
  double normal() {
    return std::sqrt(-2.0 * std::log(uniform())) * std::cos(2.0 * std::numbers::pi * uniform());
  }
  bool chance(double probability) { return uniform() < probability; }

 private:
  std::mt19937 engine_;
};

class Coverage {
 public:
  explicit Coverage(Values truth) : truth_(std::move(truth)) {}

  void count(const std::vector<Metric>& metrics) {
    for (const Metric& metric : metrics) {
      if (!metric.low) continue;
      const double value = truth_.at(metric.name);
      ++intervals_[metric.name];
      holding_[metric.name] += *metric.low <= value && value <= *metric.high ? 1 : 0;
    }
  }

  /// The share of intervals that hold is at least (at most) `least` (`most`), within four standard
  /// errors of the simulation; and every metric of the truth has intervals, `absent` of them not.
  void expect_between(double least, double most, double absent = 0.0) const {
    for (const auto& [name, value] : truth_) {
      ASSERT_TRUE(intervals_.contains(name)) << name;
      const double n = intervals_.at(name);
      const double share = holding_.at(name) / n;
      EXPECT_GE(n, (1.0 - absent) * repetitions) << name;
      EXPECT_GE(share, least - 4.0 * std::sqrt(least * (1.0 - least) / n)) << name << ' ' << value;
      EXPECT_LE(share, most + 4.0 * std::sqrt(most * (1.0 - most) / n)) << name << ' ' << value;
    }
  }

 private:
  Values truth_;
  std::map<std::string, int> intervals_;
  std::map<std::string, int> holding_;
};

/// Positive samples, a share of all, have decision values around `distance`, negative ones around
/// zero, both of variance 1; some labels are wrong. What is above half the distance is called
/// positive.
struct TwoClasses {
  Index n;
  double positive;
  double distance;
  double wrong;

  /// Of a class, above a value.
  [[nodiscard]] double share_above(double value, bool of_positive) const {
    const auto tail = [](double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); };
    const double own = tail(value - (of_positive ? distance : 0.0));
    const double other = tail(value - (of_positive ? 0.0 : distance));
    return (1.0 - wrong) * own + wrong * other;
  }

  [[nodiscard]] Values values() const {
    const double cut = 0.5 * distance;
    const double recall = share_above(cut, true);
    const double fallout = share_above(cut, false);
    const double called = positive * recall + (1.0 - positive) * fallout;
    Values result = {{"accuracy", positive * recall + (1.0 - positive) * (1.0 - fallout)},
                     {"balanced_accuracy", 0.5 * (recall + 1.0 - fallout)},
                     {"f1", 2.0 * positive * recall / (called + positive)},
                     {"precision", positive * recall / called},
                     {"recall", recall},
                     {"specificity", 1.0 - fallout}};
    constexpr int steps = 100000;
    double area = 0.0;
    double average = 0.0;
    double above = 0.0;  // of the positive class
    for (int k = 0; k < steps; ++k) {
      const double top = distance + 9.0;
      const double value = top - (top + 9.0) * (k + 0.5) / steps;
      const double next = share_above(value - (top + 9.0) * 0.5 / steps, true);
      const double negatives = share_above(value, false);
      const double hits = positive * share_above(value, true);
      area += (next - above) * (1.0 - negatives);
      average += (next - above) * hits / (hits + (1.0 - positive) * negatives);
      above = next;
    }
    result["auc"] = area;
    result["average_precision"] = average;
    return result;
  }

  [[nodiscard]] Evaluation draw(Random& random) const {
    Vector y;
    Vector decision;
    for (Index i = 0; i < n; ++i) {
      y.push_back(random.chance(positive) ? 1.0 : -1.0);
      const bool as_positive = (y.back() > 0.0) != random.chance(wrong);
      decision.push_back(random.normal() + (as_positive ? 0.5 : -0.5) * distance);
    }
    return evaluate(y, decision);
  }

  [[nodiscard]] Coverage coverage() const {
    Coverage result(values());
    Random random(7);
    for (int k = 0; k < repetitions; ++k) result.count(draw(random).metrics);
    return result;
  }
};

TEST(Coverage, OfTwoClasses) {
  for (const double distance : {0.5, 1.5}) {
    SCOPED_TRACE(distance);
    TwoClasses{100, 0.5, distance, 0.0}.coverage().expect_between(0.93, 0.985);
    TwoClasses{300, 0.3, distance, 0.0}.coverage().expect_between(0.93, 0.985);
  }
}

/// Areas and precisions of 0.99 and more, few samples of a class, wrong labels: the intervals may
/// be too long then.
TEST(Coverage, NearOneAndOfSmallClasses) {
  for (const auto& [n, positive] :
       {std::pair{Index{40}, 0.5}, {171, 0.63}, {220, 0.09}, {220, 0.91}}) {
    for (const double distance : {2.0, 3.0, 4.5}) {
      for (const double wrong : {0.0, 0.005, 0.02}) {
        SCOPED_TRACE(::testing::Message()
                     << n << ' ' << positive << ' ' << distance << ' ' << wrong);
        TwoClasses{n, positive, distance, wrong}.coverage().expect_between(0.9, 1.0, 0.05);
      }
    }
  }
}

TEST(Coverage, OfManyClasses) {
  const std::vector<std::string> names = {"a", "b", "c"};
  const Matrix predicted = [] {  // of each class
    Matrix shares(3, 3);
    shares.values = {0.9, 0.07, 0.03, 0.2, 0.7, 0.1, 0.01, 0.01, 0.98};
    return shares;
  }();
  const Vector share = {0.5, 0.3, 0.2};
  Coverage coverage({{"accuracy", 0.5 * 0.9 + 0.3 * 0.7 + 0.2 * 0.98},
                     {"balanced_accuracy", (0.9 + 0.7 + 0.98) / 3.0}});
  Random random(7);
  const auto draw = [&](ConstSpan shares) {
    const double u = random.uniform();
    return u < shares[0] ? Index{0} : u < shares[0] + shares[1] ? Index{1} : Index{2};
  };
  for (int k = 0; k < repetitions; ++k) {
    std::vector<Index> truth;
    std::vector<Index> called;
    for (int i = 0; i < 120; ++i) {
      truth.push_back(draw(share));
      called.push_back(draw(predicted.row(truth.back())));
    }
    coverage.count(evaluate_classes(names, truth, called, Matrix()).metrics);
  }
  coverage.expect_between(0.93, 0.985);
}

std::vector<Metric> draw_labels(Index n, double distance, Random& random) {
  MultiLabels truth{{"a", "b", "c", "d"}, {}};
  Matrix decision(n, 4);
  for (Index i = 0; i < n; ++i) {
    const double hardness = random.normal();
    for (Index t = 0; t < 4; ++t) {
      const bool has = random.chance(0.3);
      truth.values.push_back(has ? 1 : 0);
      decision(i, t) = (has ? 0.5 : -0.5) * distance + random.normal() + 0.5 * hardness;
    }
  }
  return evaluate_labels(truth, decision).metrics;
}

void expect_coverage_of_labels(Index n, double distance, double least, double most, double absent) {
  Random random(7);
  Values values;
  for (const Metric& metric : draw_labels(40000, distance, random)) {
    values[metric.name] = *metric.value;
  }
  Coverage coverage(values);
  for (int k = 0; k < repetitions; ++k) coverage.count(draw_labels(n, distance, random));
  coverage.expect_between(least, most, absent);
}

TEST(Coverage, OfManyLabels) {
  expect_coverage_of_labels(100, 1.0, 0.93, 0.985, 0.0);
  expect_coverage_of_labels(150, 3.0, 0.93, 0.985, 0.0);
}

/// Wrong answers are so few that some samples have none.
TEST(Coverage, OfManyLabelsThatAreNearlyRight) {
  expect_coverage_of_labels(100, 5.0, 0.9, 1.0, 0.5);
}

std::vector<Metric> draw_numbers(Index n, const Loss& loss, Random& random) {
  Vector y;
  Vector prediction;
  for (Index i = 0; i < n; ++i) {
    prediction.push_back(2.0 * random.normal());
    y.push_back(prediction.back() + random.normal());
  }
  return evaluate_numbers(loss, y, prediction);
}

void expect_coverage_of_numbers(Index n, double least, double most) {
  for (const char* text : {"squared", "epsilon:eps=0.5", "huber:delta=1", "pinball:tau=0.9"}) {
    const Loss loss = parse_loss(text);
    Random random(7);
    Values values;
    for (const Metric& metric : draw_numbers(100000, loss, random)) {
      values[metric.name] = *metric.value;
    }
    values["mse"] = values["rmse"] = 1.0;
    values["mae"] = std::sqrt(2.0 / std::numbers::pi);
    values["r2"] = 1.0 - 1.0 / 5.0;
    Coverage coverage(values);
    for (int k = 0; k < repetitions; ++k) coverage.count(draw_numbers(n, loss, random));
    SCOPED_TRACE(text);
    coverage.expect_between(least, most);
  }
}

TEST(Coverage, OfNumbers) { expect_coverage_of_numbers(200, 0.93, 0.97); }

/// A standard error from few values is too small more often than not.
TEST(Coverage, OfFewNumbersIsLess) { expect_coverage_of_numbers(25, 0.88, 0.95); }

TEST(Coverage, OfOutliers) {
  Coverage coverage({{"outlier_fraction", 0.1}});
  Random random(7);
  for (int k = 0; k < repetitions; ++k) {
    Vector decision;
    for (int i = 0; i < 60; ++i) decision.push_back(random.uniform() - 0.1);
    coverage.count({outlier_fraction(decision)});
  }
  coverage.expect_between(0.93, 0.985);
}

}  // namespace
}  // namespace kernmix
