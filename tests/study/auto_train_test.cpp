/// \file
/// auto_train() is its parts: a search, the model of its winner, and nested cross-validation.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "kernmix/error.hpp"
#include "kernmix/study.hpp"
#include "selection/planted_data.hpp"

namespace kernmix {
namespace {

constexpr Index kSamples = 60;

Dataset two_views() {
  Dataset data = planted_data(kSamples, 4, 1, 2.0, 5);
  data.views = {{"first", {"x1", "x2"}}, {"second", {"x3", "x4"}}};
  return data;
}

AutoOptions of_folds(Index folds) {
  AutoOptions options;
  options.folds = folds;
  return options;
}

void expect_same_search(const Search& found, const Search& by_hand) {
  EXPECT_EQ(found.chosen, by_hand.chosen);
  ASSERT_EQ(found.cells.size(), by_hand.cells.size());
  for (std::size_t c = 0; c < found.cells.size(); ++c) {
    EXPECT_EQ(found.cells[c].scores, by_hand.cells[c].scores) << c;
  }
}

TEST(AutoTrain, IsASearchTheModelOfItsWinnerAndNestedCrossValidation) {
  const Dataset data = two_views();
  for (const Index folds : {3, 5}) {
    const AutoResult found = auto_train(data, of_folds(folds), {});
    TrainOptions options;
    options.loss = loss_for(data.table);
    const std::vector<Candidate> candidates = automatic_candidates(data, options);
    const std::vector<Index> classes = classes_of(data.table, options);
    SearchRules rules;
    rules.score = score_rule("accuracy");
    const std::vector<Fold> dealt = deal(kSamples, {classes, {}}, {.folds = folds});
    std::vector<SearchedFit> winners;  // of the folds, which are the outer ones
    const KeepFit keep = [&](const SearchedFit& fit) {
      winners.push_back(fit);
      winners.back().place = {fit.place.fold, 0, -1, fit.place.candidate};
      winners.back().answer.clear();
    };
    const Search by_hand = search(data, candidates, dealt, rules, {}, keep, {});
    expect_same_search(found.search, by_hand);
    TrainOptions chosen = candidates[to_size(*by_hand.chosen)].options;
    chosen.solver.tolerance = options.solver.tolerance;
    EXPECT_EQ(kernel_weights(found.trained.model), kernel_weights(train(data, chosen, {}).model));
    const std::vector<NestedFold> nested =
        folds < 5 ? nested_folds(data, options, folds, {.folds = folds}, {})
                  : nested_in_pairs(dealt);
    const NestedSearch outside =
        nested_search(data, candidates, nested, rules, winners, nullptr, {});
    ASSERT_EQ(found.nested.folds.size(), outside.folds.size());
    for (std::size_t k = 0; k < outside.folds.size(); ++k) {
      EXPECT_EQ(found.nested.folds[k].candidate, outside.folds[k].candidate);
      EXPECT_EQ(found.nested.folds[k].score, outside.folds[k].score);
    }
  }
}

TEST(AutoTrain, SaysTheEstimateThatItHolds) {
  const AutoResult found = auto_train(two_views(), of_folds(3), {});
  ASSERT_TRUE(found.expected);
  EXPECT_EQ(found.expected->samples, kSamples);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(std::ranges::count(found.answer, answer_sentence(*found.expected)), 1);
  EXPECT_EQ(found.answer.front(), "All 60 samples are used.");
  ASSERT_EQ(found.views.size(), 2U);
  for (const ViewShare& view : found.views) {
    EXPECT_LE(view.least, view.share);
    EXPECT_GE(view.most, view.share);
  }
  double sum = 0.0;
  for (const ColumnShare& column : found.columns) sum += column.share;
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(AutoTrain, KeepsGroupsTogetherOnBothLevels) {
  AutoOptions options = of_folds(3);
  for (Index i = 0; i < kSamples; ++i) options.train.groups.push_back(i / 4);
  for (const Index folds : {3, 5}) {
    options.folds = folds;
    const AutoResult found = auto_train(two_views(), options, {});
    EXPECT_NO_THROW(check_groups(found.folds.folds, options.train.groups));
    for (const NestedFold& fold : found.nested_folds) {
      EXPECT_NO_THROW(check_groups({fold.outer}, options.train.groups));
      EXPECT_NO_THROW(check_groups(fold.inner, options.train.groups));
    }
    EXPECT_EQ(found.expected->units, kSamples / 4);
  }
}

TEST(AutoTrain, KeepsTheLossThatIsAskedFor) {
  AutoOptions options = of_folds(3);
  options.train.loss = "logistic";
  EXPECT_EQ(auto_train(two_views(), options, {}).trained.model.settings.loss, "hinge");
  options.loss_by_labels = false;
  EXPECT_EQ(auto_train(two_views(), options, {}).trained.model.settings.loss, "logistic");
}

TEST(AutoTrain, RefusesWhatNoSampleCanHave) {
  EXPECT_THROW((void)auto_train(two_views(), of_folds(1), {}), ParameterError);
  EXPECT_THROW((void)auto_train(two_views(), of_folds(kSamples + 1), {}), ParameterError);
  AutoOptions unknown;
  unknown.score = "acuracy";
  EXPECT_THROW((void)auto_train(two_views(), unknown, {}), ParameterError);
  Context seeded;
  seeded.seed = std::uint64_t{1} << 40U;
  EXPECT_THROW((void)auto_train(two_views(), of_folds(3), seeded), ParameterError);
}

constexpr Index kMany = 10'500;

AutoOptions on_landmarks() {
  AutoOptions options = of_folds(3);
  options.train.kernels = {"rbf(width=median)"};
  options.train.landmarks = parse_landmarks("8");
  return options;
}

TEST(AutoTrain, RefusesMoreLandmarksThanSamplesBeforeTheSearch) {
  AutoOptions options = on_landmarks();
  options.train.landmarks = parse_landmarks("200000");
  Context context;
  context.log = [](std::string_view line) { ADD_FAILURE() << line; };
  for (const Index n : {Index{60}, kMany}) {
    EXPECT_THROW((void)auto_train(planted_data(n, 4, 2, 1.0, 3), options, context), ParameterError);
  }
}

bool are_apart(const std::vector<Index>& left, const std::vector<Index>& right) {
  std::vector<Index> both;
  std::ranges::set_intersection(left, right, std::back_inserter(both));
  return both.empty();
}

std::vector<Index> samples_of(const std::vector<Fold>& folds) {
  std::set<Index> samples;
  for (const Fold& fold : folds) samples.insert(fold.test.begin(), fold.test.end());
  return {samples.begin(), samples.end()};
}

/// The estimate is of samples that no fold of the search has, and of a model of all others.
void expect_apart(const AutoResult& found, Index n) {
  ASSERT_TRUE(found.subsample);
  const std::vector<Index> chosen_on = samples_of(found.folds.folds);
  EXPECT_EQ(length(chosen_on), found.subsample->samples);
  ASSERT_EQ(found.nested_folds.size(), 1U);
  const Fold& outer = found.nested_folds.front().outer;
  EXPECT_EQ(length(outer.test), found.subsample->tested);
  EXPECT_EQ(length(outer.test) + length(outer.train), n);
  EXPECT_TRUE(are_apart(outer.test, outer.train));
  EXPECT_TRUE(are_apart(outer.test, chosen_on));
  for (const Fold& fold : found.folds.folds) EXPECT_TRUE(are_apart(outer.test, fold.train));
}

TEST(AutoTrain, ChoosesOnASubsampleAndTrainsOnAllOfManySamples) {
  const Dataset data = planted_data(kMany, 4, 2, 1.0, 3);
  Context context;
  context.seed = 4;
  const AutoResult found = auto_train(data, on_landmarks(), context);
  expect_apart(found, kMany);
  EXPECT_EQ(found.subsample->samples, 5000);
  EXPECT_EQ(found.subsample->tested, (kMany - 5000) / 5);
  EXPECT_NE(found.folds.rule.find("of 5000 of 10500 samples drawn with seed 4"), std::string::npos);
  EXPECT_EQ(found.trained.model.training_samples, kMany);
  EXPECT_EQ(found.trained.model.support.size(), 8U);
  ASSERT_TRUE(found.expected);
  EXPECT_EQ(found.expected->samples, found.subsample->tested);
  const Fold& outer = found.nested_folds.front().outer;
  const CrossValidation by_hand = cross_validate(data, {found.winner().options}, {outer}, context);
  EXPECT_EQ(found.nested.folds.front().score,
            score_called(by_hand.models[0][0].metrics, "accuracy"));
  context.threads = 2;
  const AutoResult again = auto_train(data, on_landmarks(), context);
  expect_same_search(again.search, found.search);
  EXPECT_EQ(again.nested.folds.front().score, found.nested.folds.front().score);
}

TEST(AutoTrain, KeepsClassesAndGroupsOfASubsample) {
  Dataset data = planted_data(kMany, 2, 1, 1.0, 3);
  for (Index i = 0; i < kMany; ++i) data.table.labels[to_size(i)] = i % 10 == 0 ? "yes" : "no";
  AutoOptions options = on_landmarks();
  const AutoResult of_classes = auto_train(data, options, {});
  const std::vector<Index> chosen_on = samples_of(of_classes.folds.folds);
  EXPECT_EQ(std::ranges::count_if(chosen_on, [](Index i) { return i % 10 == 0; }), 500);
  for (const Index size : {3, 1500}) {
    options.train.groups.clear();
    for (Index i = 0; i < kMany; ++i) options.train.groups.push_back(i / size);
    const AutoResult found = auto_train(data, options, {});
    expect_apart(found, kMany);
    EXPECT_NO_THROW(check_groups(found.folds.folds, options.train.groups));
    EXPECT_NO_THROW(check_groups({found.nested_folds.front().outer}, options.train.groups));
    EXPECT_LE(found.subsample->samples, 5000 + size);
  }
  options.train.groups.clear();
  for (Index i = 0; i < kMany; ++i) options.train.groups.push_back(i / 3500);
  EXPECT_THROW((void)auto_train(data, options, {}), ParameterError);
}

TEST(AutoTrain, TakesLandmarksWhereTheKernelsAsWrittenDoNotFit) {
  const Dataset data = planted_data(kMany, 2, 1, 1.0, 3);
  AutoOptions options = on_landmarks();
  options.train.landmarks = {};
  Context context;
  context.memory_bytes = std::size_t{9} << 20U;
  const AutoResult found = auto_train(data, options, context);
  expect_apart(found, kMany);
  EXPECT_EQ(found.chosen.landmarks.count, length(found.trained.model.support));
  EXPECT_EQ(std::ranges::count(found.trained.warnings, "landmarks", &Warning::code), 1);
  const TrainOptions again = found.chosen;
  EXPECT_EQ(kernel_weights(train(data, again, context).model), kernel_weights(found.trained.model));
}

}  // namespace
}  // namespace kernmix
