/// \file
/// Which folds a study deals, what it says of them, and which loss labels ask for.

#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "kernmix/study.hpp"
#include "selection/planted_data.hpp"

namespace kernmix {
namespace {

Table labelled(std::vector<std::string> labels) {
  Table table;
  table.labels = std::move(labels);
  return table;
}

/// first, first + step, ... of so many values, `each` samples of every value
Table counting(int first, int step, int values, int each) {
  std::vector<std::string> labels;
  for (int i = 0; i < values * each; ++i) {
    labels.push_back(fmt::format("{}", first + step * (i % values)));
  }
  return labelled(std::move(labels));
}

TEST(LossFor, TakesFewOrCountingWholeNumbersForClasses) {
  EXPECT_EQ(loss_for(labelled({"a", "b", "a"})), "hinge");
  EXPECT_EQ(loss_for(labelled({"0.5", "1.5", "0.5"})), "hinge");  // two values
  EXPECT_EQ(loss_for(labelled({"0.5", "1.5", "2.5"})), "squared");
  EXPECT_EQ(loss_for(labelled({"1", "2", "x"})), "hinge");
  EXPECT_EQ(loss_for(counting(18, 2, 20, 1)), "hinge");
  EXPECT_EQ(loss_for(counting(1, 1, 21, 5)), "hinge");
  EXPECT_EQ(loss_for(counting(1, 1, 21, 4)), "squared");
  EXPECT_EQ(loss_for(counting(18, 1, 21, 5)), "squared");
  EXPECT_EQ(loss_for(counting(0, 2, 21, 5)), "squared");
}

TEST(LossFor, TargetsAreNumbersAndSeveralLabelsAreClasses) {
  Table targets;
  targets.targets.values = Matrix(3, 1);
  EXPECT_EQ(loss_for(targets), "squared");
  Table labels;
  labels.multi_labels.names = {"red"};
  labels.multi_labels.values = {1, 0, 1};
  EXPECT_EQ(loss_for(labels), "hinge");
}

TEST(ChooseFolds, StratifiesClassesKeepsGroupsAndSaysSo) {
  const Dataset data = planted_data(40, 1, 1, 1.0, 1);
  TrainOptions options;
  const std::vector<Index> classes = classes_of(data.table, options);
  FoldRule rule;
  rule.asked = {.folds = 4, .seed = 3};
  const ChosenFolds plain = choose_folds(data, options, rule, {});
  EXPECT_EQ(plain.folds, stratified_folds(classes, rule.asked));
  EXPECT_EQ(plain.rule, "4 folds, stratified, shuffled with seed 3");
  for (Index i = 0; i < 40; ++i) options.groups.push_back(i / 2);
  const ChosenFolds grouped = choose_folds(data, options, rule, {});
  EXPECT_EQ(grouped.folds, grouped_folds(options.groups, 4));
  EXPECT_EQ(grouped.rule, "4 folds of the groups");
  rule.group_column = "patient";
  EXPECT_EQ(choose_folds(data, options, rule, {}).rule, "4 folds of the groups in column patient");
}

TEST(ChooseFolds, GivenOnesStay) {
  const Dataset data = planted_data(4, 1, 1, 1.0, 1);
  const std::vector<Fold> folds = {{{0, 1}, {2, 3}}, {{2, 3}, {0, 1}}};
  FoldRule rule;
  rule.given = folds;
  rule.given_by = "the folds of column part";
  const ChosenFolds chosen = choose_folds(data, {}, rule, {});
  EXPECT_EQ(chosen.folds, folds);
  EXPECT_EQ(chosen.rule, rule.given_by);
}

TEST(ChooseFolds, CallsFoldsByTheirNamesAndCountsEqualOnesOnce) {
  const Dataset data = planted_data(6, 1, 1, 1.0, 1);  // yes, no, yes, ...
  FoldRule rule;
  rule.given = {{{1, 3, 4, 5}, {0, 2}}, {{0, 2, 4, 5}, {1, 3}}, {{1, 3, 4, 5}, {0, 2}}};
  rule.given_names = {"Basel", "Bern", "Bonn"};
  const ChosenFolds chosen = choose_folds(data, {}, rule, {});
  EXPECT_EQ(chosen.name(1), "Bern");
  ASSERT_FALSE(chosen.warnings.empty());
  EXPECT_NE(chosen.warnings.front().find("of 3 folds only 2 are different"), std::string::npos);
  rule.given = {{{1, 3, 4, 5}, {0, 2}}, {{2, 3, 4, 5}, {0, 1}}};
  rule.given_names.pop_back();
  const ChosenFolds one_class = choose_folds(data, {}, rule, {});
  EXPECT_NE(one_class.warnings.front().find("(fold Basel)"), std::string::npos);
}

TEST(ChooseFolds, WarnsOfClassesThatFoldsLack) {
  Dataset data = planted_data(21, 1, 1, 1.0, 1);
  data.table.labels.front() = "alone";
  const ChosenFolds chosen = choose_folds(data, {}, {}, {});
  ASSERT_EQ(chosen.warnings.size(), 2U);
  EXPECT_NE(chosen.warnings[0].find("fewer samples than the 5 folds in alone (1)"),
            std::string::npos);
  EXPECT_NE(chosen.warnings[1].find("class 'alone' is only in the test part"), std::string::npos);
}

TEST(ChooseFolds, RefusesFoldsBeyondTheBudget) {
  const Dataset data = planted_data(40, 1, 1, 1.0, 1);
  Context small;
  small.memory_bytes = 1000;
  FoldRule rule;
  rule.asked = {.folds = 5, .repeats = 100};
  EXPECT_THROW((void)choose_folds(data, {}, rule, small), ResourceError);
  rule.leave_one_out = true;
  EXPECT_THROW((void)choose_folds(data, {}, rule, small), ResourceError);
}

TEST(ChooseSplits, AreThoseOfTheLibrary) {
  const Dataset data = planted_data(40, 1, 1, 1.0, 1);
  TrainOptions options;
  const SplitRule rule{.splits = 3, .test = 0.25, .seed = 2};
  EXPECT_EQ(choose_splits(data, options, rule, {}).folds,
            random_splits(classes_of(data.table, options), 3, 0.25, 2));
  for (Index i = 0; i < 40; ++i) options.groups.push_back(i / 2);
  EXPECT_EQ(choose_splits(data, options, rule, {}).folds,
            random_group_splits(options.groups, 3, 0.25, 2));
}

}  // namespace
}  // namespace kernmix
