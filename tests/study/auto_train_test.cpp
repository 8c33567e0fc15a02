/// \file
/// auto_train() is its parts: a search, the model of its winner, and nested cross-validation.

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace kernmix
