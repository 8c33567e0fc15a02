/// \file
/// Average precision from small folds: what many samples of the same ranking give.

#include "selection/expected/fold_precision.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

double from_folds(Index size, double share, double shift, Numbers& numbers) {
  FoldPrecision precision;
  for (Index f = 0; f < 30000 / size; ++f) {
    const Ranked fold = draw_ranked(size, share, shift, numbers);
    precision.add(threshold_steps(fold.y, fold.decision));
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
      precision.add(threshold_steps(y, decision, weights));
    } while (std::ranges::next_permutation(y).found);
    EXPECT_NEAR(precision.at(0.3).value(), 0.3, 1e-12);
  }
}

TEST(FoldPrecision, APerfectRankingHasOneAndAReversedOneIsBelowChance) {
  const Vector y = {1.0, -1.0, -1.0};
  FoldPrecision perfect;
  perfect.add(threshold_steps(y, Vector{2.0, 1.0, 0.0}));
  EXPECT_NEAR(perfect.at(0.1).value(), 1.0, 1e-12);
  FoldPrecision reversed;
  reversed.add(threshold_steps(y, Vector{0.0, 1.0, 2.0}));
  EXPECT_GE(reversed.at(0.1).value(), 0.0);
  EXPECT_LT(reversed.at(0.1).value(), 0.1);
}

TEST(FoldPrecision, FoldsOfOneClassHaveNoRanking) {
  FoldPrecision precision;
  precision.add(threshold_steps(Vector{1.0, 1.0}, Vector{2.0, 1.0}));
  precision.add(threshold_steps(Vector{-1.0}, Vector{2.0}));
  EXPECT_FALSE(precision.at(0.5));
}

}  // namespace
}  // namespace kernmix::testing
