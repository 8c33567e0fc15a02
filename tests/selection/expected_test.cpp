/// \file
/// What to expect of new samples: one value for each metric, however often samples are tested, and
/// intervals only where there are samples enough.

#include "kernmix/selection/expected.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "model/thresholds/folds.hpp"
#include "selection/expected/held_out.hpp"
#include "selection/planted_data.hpp"

namespace kernmix::testing {
namespace {

std::vector<Fold> folds_of(Index n, Index folds, Index repeats = 1) {
  std::vector<Index> classes;
  for (Index i = 0; i < n; ++i) classes.push_back(i % 2);
  return stratified_folds(classes, {.folds = folds, .repeats = repeats, .seed = 3});
}

Expected expected_of(const Dataset& data, const TrainOptions& options,
                     const std::vector<Fold>& folds, const std::vector<Index>& groups = {}) {
  const CrossValidation found = cross_validate(data, {options}, folds, {});
  return expected_performance(found, 0, data, folds, groups).value();
}

double width_of(const Expected& expected, const std::string& metric) {
  const Metric* const found = expected.find(metric);
  return *found->high - *found->low;
}

TEST(Expected, SharesAreOfAllSamplesAndAreasTheMeanOverFolds) {
  const Dataset data = planted_data(60, 2, 1, 1.0, 5);
  const auto folds = folds_of(60, 4);
  const CrossValidation found = cross_validate(data, {linear_options()}, folds, {});
  const Expected expected = expected_performance(found, 0, data, folds, {}).value();
  double accuracy = 0.0;
  double auc = 0.0;
  for (const FoldScore& fold : found.models.front()) {
    accuracy += *score_called(fold.metrics, "accuracy") *
                static_cast<double>(fold.prediction.winner.size()) / 60.0;
    auc += *score_called(fold.metrics, "auc") / 4.0;
  }
  EXPECT_NEAR(*expected.find("accuracy")->value, accuracy, 1e-12);
  EXPECT_NEAR(*expected.find("auc")->value, auc, 1e-12);
  EXPECT_EQ(expected.samples, 60);
  EXPECT_EQ(expected.units, 60);
  EXPECT_EQ(expected.trained, 45);
  EXPECT_EQ(expected.effective, 60.0);
  EXPECT_EQ(expected.majority, 0.5);
  for (const Metric& metric : expected.metrics) {
    if (!metric.low) continue;
    EXPECT_LE(*metric.low, *metric.value) << metric.name;
    EXPECT_GE(*metric.high, *metric.value) << metric.name;
  }
}

/// Models of other folds may have decision values of another scale and origin.
TEST(Expected, RankingsDoNotCompareDecisionValuesOfDifferentModels) {
  const Dataset data = planted_data(60, 2, 1, 1.5, 5);
  const auto folds = folds_of(60, 4);
  CrossValidation found = cross_validate(data, {linear_options()}, folds, {});
  const Expected before = expected_performance(found, 0, data, folds, {}).value();
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (double& value : found.models[0][f].prediction.decision.values) {
      value = std::pow(10.0, static_cast<double>(f)) * value + 100.0 * static_cast<double>(f);
    }
  }
  const Expected after = expected_performance(found, 0, data, folds, {}).value();
  for (const char* metric : {"auc", "average_precision", "average_precision_interpolated"}) {
    EXPECT_EQ(before.find(metric) == nullptr, after.find(metric) == nullptr);
    if (before.find(metric) == nullptr) continue;
    EXPECT_EQ(before.find(metric)->value, after.find(metric)->value) << metric;
    EXPECT_EQ(before.find(metric)->low, after.find(metric)->low) << metric;
  }
}

/// The same folds twice know nothing more: the interval is that of once.
TEST(Expected, ASampleThatIsTestedAgainCountsOnce) {
  const Dataset data = planted_data(60, 2, 1, 1.0, 9);
  const auto once = folds_of(60, 4);
  auto twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const Expected one = expected_of(data, linear_options(), once);
  const Expected two = expected_of(data, linear_options(), twice);
  EXPECT_EQ(two.samples, 60);
  for (const Metric& metric : one.metrics) {
    const Metric* const other = two.find(metric.name);
    ASSERT_EQ(metric.value.has_value(), other->value.has_value()) << metric.name;
    EXPECT_NEAR(metric.value.value_or(0.0), other->value.value_or(0.0), 1e-12) << metric.name;
    ASSERT_EQ(metric.low.has_value(), other->low.has_value()) << metric.name;
    EXPECT_NEAR(metric.low.value_or(0.0), other->low.value_or(0.0), 1e-9) << metric.name;
  }
}

TEST(Expected, RepeatsDoNotMakeIntervalsOfMoreSamples) {
  const Dataset data = planted_data(60, 2, 1, 1.0, 11);
  const Expected one = expected_of(data, linear_options(), folds_of(60, 5));
  const Expected many = expected_of(data, linear_options(), folds_of(60, 5, 8));
  for (const char* metric : {"accuracy", "auc", "balanced_accuracy"}) {
    EXPECT_GT(width_of(many, metric), 0.6 * width_of(one, metric)) << metric;
  }
}

/// Copies of a sample in its group are no new samples.
TEST(Expected, GroupsAreTheUnitsOfIntervals) {
  const Dataset data = planted_data(40, 2, 1, 1.0, 13);
  Dataset copies = data;
  copies.table.labels.clear();
  copies.table.values = Matrix(160, 2);
  std::vector<Index> groups;
  for (Index i = 0; i < 160; ++i) {
    groups.push_back(i / 4);
    copies.table.labels.push_back(data.table.labels[to_size(i / 4)]);
    for (Index j = 0; j < 2; ++j) copies.table.values(i, j) = data.table.values(i / 4, j);
  }
  const Expected one = expected_of(data, linear_options(), folds_of(40, 4));
  const auto folds = grouped_folds(groups, 4);
  const Expected grouped = expected_of(copies, linear_options(), folds, groups);
  const Expected alone = expected_of(copies, linear_options(), folds);
  EXPECT_EQ(grouped.units, 40);
  EXPECT_GT(width_of(grouped, "accuracy"), 0.7 * width_of(one, "accuracy"));
  EXPECT_LT(width_of(alone, "accuracy"), 0.7 * width_of(grouped, "accuracy"));
}

TEST(Expected, SaysWhyThereIsNoInterval) {
  const Expected few =
      expected_of(planted_data(20, 2, 1, 1.0, 1), linear_options(), folds_of(20, 4));
  EXPECT_FALSE(few.find("accuracy")->low);
  ASSERT_FALSE(few.remarks.empty());
  EXPECT_NE(few.remarks.back().find("20 samples are fewer than 25"), std::string::npos);
  Dataset rare = planted_data(60, 2, 1, 1.0, 1);
  std::vector<Index> classes;
  for (Index i = 0; i < 60; ++i) {
    rare.table.labels[to_size(i)] = i % 8 == 0 ? "yes" : "no";
    classes.push_back(i % 8 == 0 ? 1 : 0);
  }
  const auto folds = stratified_folds(classes, {.folds = 4});
  const Expected expected = expected_of(rare, linear_options(), folds);
  EXPECT_TRUE(expected.find("accuracy")->low);
  EXPECT_TRUE(expected.find("auc")->value);
  EXPECT_FALSE(expected.find("auc")->low);
  EXPECT_NE(expected.remarks.back().find("8 samples of 'yes' are fewer than 10"), std::string::npos)
      << expected.remarks.back();
}

/// Each sample is its own group in both: a sample of weight w is w copies of it in one group.
TEST(Expected, WeightsAreCopiesOfOneUnit) {
  const Dataset data = planted_data(60, 2, 1, 1.0, 5);
  TrainOptions options = linear_options();
  options.solver.tolerance = 1e-10;
  std::vector<Index> copies;
  std::vector<Index> fold_of_copy;
  std::vector<Index> fold;
  for (Index i = 0; i < 60; ++i) {
    options.sample_weights.push_back(static_cast<double>(1 + i % 3));
    fold.push_back((i / 2) % 3);
    for (Index k = 0; k <= i % 3; ++k) {
      copies.push_back(i);
      fold_of_copy.push_back(fold.back());
    }
  }
  TrainOptions plain = linear_options();
  plain.solver.tolerance = 1e-10;
  plain.groups = copies;
  const Expected weighted = expected_of(data, options, predefined_folds(fold));
  const Expected repeated =
      expected_of(samples_at(data, copies), plain, predefined_folds(fold_of_copy), copies);
  EXPECT_EQ(weighted.units, 60);
  EXPECT_NEAR(weighted.effective, repeated.effective, 1e-12);
  EXPECT_LT(weighted.effective, 59.0);
  EXPECT_NEAR(weighted.majority, repeated.majority, 1e-12);
  for (const char* name : {"accuracy", "auc", "f1", "balanced_accuracy"}) {
    const Metric* const left = weighted.find(name);
    const Metric* const right = repeated.find(name);
    EXPECT_NEAR(*left->value, *right->value, 1e-6) << name;
    EXPECT_NEAR(left->low.value(), right->low.value(), 1e-6) << name;
    EXPECT_NEAR(left->high.value(), right->high.value(), 1e-6) << name;
  }
}

TEST(Expected, SamplesThatOneOutweighsHaveNoIntervals) {
  const Dataset data = planted_data(60, 2, 1, 1.0, 5);
  TrainOptions options = linear_options();
  options.sample_weights.assign(60, 1.0);
  options.sample_weights.back() = 200.0;
  const Expected expected = expected_of(data, options, folds_of(60, 3));
  EXPECT_LT(expected.effective, 2.0);
  EXPECT_FALSE(expected.find("accuracy")->low);
  EXPECT_NE(expected.remarks.front().find("60 samples (of unequal weight, equivalent to 1.7 of"),
            std::string::npos)
      << expected.remarks.front();
}

TEST(Expected, LeaveOneOutHasSharesButNoRanking) {
  const Dataset data = planted_data(30, 2, 0, 0.0, 1);
  const Expected expected = expected_of(data, linear_options(), leave_one_out(30));
  EXPECT_TRUE(expected.find("accuracy")->value);
  EXPECT_FALSE(expected.find("auc")->value);
  EXPECT_FALSE(expected.find("average_precision")->value);
  EXPECT_NE(expected.remarks.front().find("each fold tests one sample"), std::string::npos);
}

/// Folds of two samples of the same class: each has a perfect ranking, which says nothing.
TEST(Expected, FoldsOfOneClassHaveNoRanking) {
  const Dataset data = planted_data(32, 2, 1, 1.0, 1);
  std::vector<Index> fold;
  for (Index i = 0; i < 32; ++i) fold.push_back(i / 4 * 2 + i % 2);
  const auto folds = predefined_folds(fold);
  const CrossValidation found = cross_validate(data, {linear_options()}, folds, {});
  for (const FoldScore& score : found.models.front()) {
    EXPECT_FALSE(score_called(score.metrics, "average_precision"));
    EXPECT_TRUE(score_called(score.metrics, "accuracy"));
  }
  const Expected expected = expected_performance(found, 0, data, folds, {}).value();
  EXPECT_TRUE(expected.find("accuracy")->value);
  EXPECT_FALSE(expected.find("auc")->value);
  EXPECT_FALSE(expected.find("average_precision")->value);
  ASSERT_FALSE(expected.remarks.empty());
  EXPECT_NE(expected.remarks.front().find("no fold ranks samples of different classes"),
            std::string::npos)
      << expected.remarks.front();
}

TEST(Expected, EveryMetricIsPooledInOneOfFourWays) {
  for (const char* name : {"auc", "macro_auc", "micro_auc", "micro_average_precision"}) {
    EXPECT_EQ(pooling_of(name), Pooling::mean_of_folds) << name;
  }
  for (const char* name : {"average_precision", "macro_average_precision"}) {
    EXPECT_EQ(pooling_of(name), Pooling::above_chance_in_folds) << name;
  }
  for (const char* name : {"macro_average_precision_interpolated", "auc_pr"}) {
    EXPECT_EQ(pooling_of(name), Pooling::ranks_in_folds) << name;
  }
  for (const char* name : {"accuracy", "r2", "log_loss", "label_ranking_average_precision"}) {
    EXPECT_EQ(pooling_of(name), Pooling::together) << name;
  }
}

/// Each training part weighs its own classes: as train on the part alone does.
TEST(CrossValidationOfBalancedClasses, WeighsTheClassesOfEachTrainPart) {
  Dataset data = planted_data(60, 2, 1, 1.0, 3);
  for (Index i = 0; i < 60; ++i) {
    data.table.labels[to_size(i)] = data.table.values(i, 0) > 0.9 ? "yes" : "no";
  }
  TrainOptions options = linear_options();
  options.balanced_classes = true;
  const std::vector<Fold> folds = plain_folds(60, {.folds = 3, .shuffle = false});
  const CrossValidation found = cross_validate(data, {options}, folds, {});
  for (std::size_t f = 0; f < folds.size(); ++f) {
    double positive = 0.0;
    for (const Index i : folds[f].train) positive += data.table.labels[to_size(i)] == "yes" ? 1 : 0;
    const double n = static_cast<double>(folds[f].train.size());
    TrainOptions given = linear_options();
    given.class_weights = {{"yes", n / 2.0 / positive}, {"no", n / 2.0 / (n - positive)}};
    const FoldData part = fold_data(data, folds[f], {});
    const Model model = train(part.train, given, {}).model;
    EXPECT_EQ(found.models[0][f].prediction.decision.values,
              predict(model, part.test, {}).decision.values);
    EXPECT_EQ(found.models[0][f].learned.settings.class_weights, model.settings.class_weights);
  }
}

}  // namespace
}  // namespace kernmix::testing
