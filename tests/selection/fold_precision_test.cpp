/// \file
/// Average precision from small folds: what many samples of the same ranking give.

#include "selection/expected/fold_precision.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/samples.hpp"
#include "model/toy_data.hpp"

namespace kernmix::testing {
namespace {

struct Ranked {
  Vector y;
  Vector decision;
};

/// Decision values of variance 1, moved by `shift` for the positive class.
Ranked draw_ranked(Index n, double share, double shift, Numbers& numbers) {
  Ranked drawn;
  for (Index i = 0; i < n; ++i) {
    const bool positive = numbers.uniform() < share;
    drawn.y.push_back(positive ? 1.0 : -1.0);
    drawn.decision.push_back(numbers.normal() + (positive ? shift : 0.0));
  }
  return drawn;
}

/// Each sample is a unit.
void add_samples(ConstSpan y, ConstSpan decision, ConstSpan weights, FoldPrecision& precision) {
  const std::vector<Index> unit = all_samples(length(y));
  precision.add({y, decision, weights, unit});
}

double from_folds(Index size, double share, double shift, Numbers& numbers) {
  FoldPrecision precision;
  for (Index f = 0; f < 30000 / size; ++f) {
    const Ranked fold = draw_ranked(size, share, shift, numbers);
    add_samples(fold.y, fold.decision, {}, precision);
  }
  return precision.at(share).value();
}

/// The mean of these folds is 0.64 for the share 0.15 and folds of three without signal, and that
/// of ranks in folds 0.38.
TEST(FoldPrecision, IsThatOfManySamplesWhateverTheSizeOfFolds) {
  Numbers numbers(4);
  for (const double share : {0.15, 0.5}) {
    for (const double shift : {0.0, 1.0, 2.0, 3.0}) {
      const Ranked many = draw_ranked(30000, share, shift, numbers);
      const double truth = average_precision(many.y, many.decision).value.value();
      for (const Index size : {3, 5, 12, 40}) {
        EXPECT_NEAR(from_folds(size, share, shift, numbers), truth, shift == 0.0 ? 0.03 : 0.06)
            << "share " << share << ", shift " << shift << ", folds of " << size;
      }
    }
  }
}

/// With tied decision values, too.
TEST(FoldPrecision, AllPermutationsOfTheLabelsTogetherAreChance) {
  const Vector decision = {3.0, 2.0, 2.0, 1.0, 0.0};
  for (const Vector& weights : {Vector(), Vector(5, 2.5)}) {
    Vector y = {-1.0, -1.0, -1.0, 1.0, 1.0};
    FoldPrecision precision;
    do {
      add_samples(y, decision, weights, precision);
    } while (std::ranges::next_permutation(y).found);
    EXPECT_NEAR(precision.at(0.3).value(), 0.3, 1e-12);
  }
}

TEST(FoldPrecision, APerfectRankingHasOneAndAReversedOneIsBelowChance) {
  const Vector y = {1.0, -1.0, -1.0};
  FoldPrecision perfect;
  add_samples(y, Vector{2.0, 1.0, 0.0}, {}, perfect);
  EXPECT_NEAR(perfect.at(0.1).value(), 1.0, 1e-12);
  FoldPrecision reversed;
  add_samples(y, Vector{0.0, 1.0, 2.0}, {}, reversed);
  EXPECT_GE(reversed.at(0.1).value(), 0.0);
  EXPECT_LT(reversed.at(0.1).value(), 0.1);
}

TEST(FoldPrecision, FoldsOfOneClassHaveNoRanking) {
  FoldPrecision precision;
  add_samples(Vector{1.0, 1.0}, Vector{2.0, 1.0}, {}, precision);
  add_samples(Vector{-1.0}, Vector{2.0}, {}, precision);
  EXPECT_FALSE(precision.at(0.5));
}

/// Units of several rows with ties, and the class of each unit.
struct RankedUnits {
  Vector decision;
  Vector weights;
  std::vector<Index> unit;
  std::vector<bool> positive;  ///< of each unit; both classes
  [[nodiscard]] Vector labels() const {
    Vector y;
    for (const Index u : unit) y.push_back(positive[to_size(u)] ? 1.0 : -1.0);
    return y;
  }
  [[nodiscard]] double chance() const {
    const Vector y = labels();
    return precision_by_chance({y, decision, weights, unit}, threshold_steps(y, decision, weights));
  }
  /// Over all assignments of the classes to the units.
  [[nodiscard]] double enumerated() const {
    RankedUnits other = *this;
    std::sort(other.positive.begin(), other.positive.end());
    double sum = 0.0;
    double count = 0.0;
    do {
      sum += *average_precision(other.labels(), decision, weights).value;
      count += 1.0;
    } while (std::next_permutation(other.positive.begin(), other.positive.end()));
    return sum / count;
  }
};

RankedUnits draw_units(bool equal) {
  RankedUnits drawn;
  const Index units = *rc::gen::inRange<Index>(4, 9);
  const Index rows = *rc::gen::inRange<Index>(1, 5);
  for (Index u = 0; u < units; ++u) {
    const Index own = equal ? rows : *rc::gen::inRange<Index>(1, 5);
    for (Index k = 0; k < own; ++k) {
      drawn.unit.push_back(u);
      drawn.decision.push_back(*rc::gen::inRange(0, 12));
      drawn.weights.push_back(equal ? 1.0 : *rc::gen::inRange(1, 4));
    }
    drawn.positive.push_back(u == 0 || (u > 1 && *rc::gen::arbitrary<bool>()));
  }
  return drawn;
}

/// Exactly for units of equal weight.
RC_GTEST_PROP(PrecisionByChance, IsTheMeanOverPermutationsOfUnits, ()) {
  const RankedUnits drawn = draw_units(true);
  RC_ASSERT(std::abs(drawn.chance() - drawn.enumerated()) < 1e-12);
}

/// To the second order for others, here of weights 1 to 12; with the mean over rows it would be off
/// by 0.1 and more.
RC_GTEST_PROP(PrecisionByChance, IsNearlyTheMeanForUnitsOfUnequalWeight, ()) {
  const RankedUnits drawn = draw_units(false);
  RC_ASSERT(std::abs(drawn.chance() - drawn.enumerated()) < 0.1);
}

/// A row of weight w is w equal rows of its unit, also where the units have both classes.
RC_GTEST_PROP(PrecisionByChance, WeightsAreCopiesInTheirUnit, ()) {
  RankedUnits weighted = draw_units(false);
  const bool mixed = *rc::gen::arbitrary<bool>();
  Vector y = weighted.labels();
  if (mixed) {
    for (double& sign : y) sign = *rc::gen::element(1.0, -1.0);
    y.front() = 1.0;
    y.back() = -1.0;
  }
  RankedUnits copied;
  Vector copied_y;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (int copy = 0; copy < static_cast<int>(weighted.weights[i]); ++copy) {
      copied.decision.push_back(weighted.decision[i]);
      copied.unit.push_back(weighted.unit[i]);
      copied_y.push_back(y[i]);
    }
  }
  const auto chance = [](const RankedUnits& of, const Vector& labels) {
    return precision_by_chance({labels, of.decision, of.weights, of.unit},
                               threshold_steps(labels, of.decision, of.weights));
  };
  RC_ASSERT(std::abs(chance(weighted, y) - chance(copied, copied_y)) < 1e-12);
}

/// Of one sample in each unit, with labels of any unit: permutations within units change nothing.
RC_GTEST_PROP(PrecisionByChance, OfOneUnitIsTheMeanOverItsRows, ()) {
  const Index n = *rc::gen::inRange<Index>(3, 8);
  Vector y;
  Vector decision;
  for (Index i = 0; i < n; ++i) {
    y.push_back(i == 0 || (i > 1 && *rc::gen::arbitrary<bool>()) ? 1.0 : -1.0);
    decision.push_back(static_cast<double>(n - i));
  }
  const std::vector<Index> each = all_samples(n);
  const std::vector<Index> one(to_size(n), 0);
  const ThresholdSteps steps = threshold_steps(y, decision);
  RC_ASSERT(std::abs(precision_by_chance({y, decision, {}, each}, steps) -
                     precision_by_chance({y, decision, {}, one}, steps)) < 1e-12);
}

}  // namespace
}  // namespace kernmix::testing
