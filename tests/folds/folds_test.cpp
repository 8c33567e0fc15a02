/// \file
/// Splits are scikit-learn's (reference/folds.json, which reference/generate.py writes); what each
/// kind must hold; what is refused.

#include "kernmix/folds.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix::testing {
namespace {

using Json = nlohmann::json;

std::vector<Fold> folds_as(const Json& one) {
  const auto kind = one.at("kind").get<std::string>();
  const auto classes = one.at("classes").get<std::vector<Index>>();
  FoldOptions options{.folds = one.at("folds"), .shuffle = false, .seed = one.at("seed")};
  if (kind == "grouped") return grouped_folds(classes, options.folds);
  if (kind == "predefined") return predefined_folds(classes);
  if (kind == "leave-one-out") return leave_one_out(one.at("n"));
  options.shuffle = kind.ends_with("shuffled") || kind.ends_with("repeated");
  options.repeats = kind.ends_with("repeated") ? 3 : 1;
  return kind.starts_with("plain") ? plain_folds(one.at("n"), options)
                                   : stratified_folds(classes, options);
}

TEST(Folds, AreThoseOfScikitLearn) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/folds/reference/folds.json");
  const Json reference = Json::parse(stream);
  ASSERT_GE(reference.at("cases").size(), 20U);
  for (const Json& one : reference.at("cases")) {
    std::vector<std::vector<Index>> tested;
    for (const Fold& fold : folds_as(one)) tested.push_back(fold.test);
    EXPECT_EQ(tested, one.at("tests").get<std::vector<std::vector<Index>>>())
        << one.at("kind") << " of " << one.at("n");
  }
}

/// No group stands on both sides.
bool keep_groups(const std::vector<Fold>& folds, const std::vector<Index>& groups) {
  return std::ranges::all_of(folds, [&](const Fold& fold) {
    std::set<Index> trained;
    for (const Index i : fold.train) trained.insert(groups[to_size(i)]);
    return std::ranges::none_of(fold.test,
                                [&](Index i) { return trained.contains(groups[to_size(i)]); });
  });
}

/// Both parts ascending, and together all samples but those that neither has.
void check_parts(const std::vector<Fold>& folds, Index n) {
  for (const Fold& fold : folds) {
    std::vector<Index> all = fold.train;
    all.insert(all.end(), fold.test.begin(), fold.test.end());
    RC_ASSERT(std::ranges::is_sorted(fold.train));
    RC_ASSERT(std::ranges::is_sorted(fold.test));
    RC_ASSERT(length(std::set<Index>(all.begin(), all.end())) == n);
    RC_ASSERT(length(all) == n);
  }
}

RC_GTEST_PROP(Folds, TestEachSampleOncePerRepeat, ()) {
  const auto classes = *rc::gen::container<std::vector<Index>>(rc::gen::inRange<Index>(0, 3));
  const Index n = length(classes);
  RC_PRE(n >= 6);
  const FoldOptions options{.folds = *rc::gen::inRange<Index>(2, 4),
                            .repeats = *rc::gen::inRange<Index>(1, 4),
                            .seed = *rc::gen::arbitrary<std::uint32_t>()};
  std::map<Index, Index> counts;
  for (const Index c : classes) ++counts[c];
  const bool strata =
      std::ranges::any_of(counts, [&](const auto& own) { return own.second >= options.folds; });
  RC_PRE(strata);
  for (const auto& folds : {plain_folds(n, options), stratified_folds(classes, options)}) {
    check_parts(folds, n);
    std::vector<Index> tested(to_size(n), 0);
    for (const Fold& fold : folds) {
      for (const Index i : fold.test) ++tested[to_size(i)];
    }
    RC_ASSERT(tested == std::vector<Index>(to_size(n), options.repeats));
  }
}

RC_GTEST_PROP(Folds, StrataHaveTheSamplesOfEachClassWithinOne, ()) {
  const auto classes = *rc::gen::container<std::vector<Index>>(40, rc::gen::inRange<Index>(0, 3));
  const std::vector<Fold> folds = stratified_folds(classes, {.folds = 3});
  for (Index c = 0; c < 3; ++c) {
    std::vector<Index> counts;
    for (const Fold& fold : folds) {
      counts.push_back(
          std::ranges::count_if(fold.test, [&](Index i) { return classes[to_size(i)] == c; }));
    }
    RC_ASSERT(std::ranges::max(counts) - std::ranges::min(counts) <= 1);
  }
}

RC_GTEST_PROP(Folds, RandomSplitsKeepTheShareOfEachClass, ()) {
  const auto classes = *rc::gen::container<std::vector<Index>>(50, rc::gen::inRange<Index>(0, 2));
  const std::vector<Fold> splits = random_splits(classes, 3, 0.3, 5);
  RC_ASSERT(splits.size() == 3U);
  check_parts(splits, 50);
  for (const Fold& split : splits) {
    for (Index c = 0; c < 2; ++c) {
      const auto of = [&](const std::vector<Index>& part) {
        return static_cast<double>(
            std::ranges::count_if(part, [&](Index i) { return classes[to_size(i)] == c; }));
      };
      const double all = of(split.train) + of(split.test);
      RC_ASSERT(std::abs(of(split.test) - 0.3 * all) <= 1.0);
    }
  }
}

TEST(Folds, RefuseWhatCannotBe) {
  EXPECT_THROW((void)plain_folds(5, {.folds = 1}), ParameterError);
  EXPECT_THROW((void)plain_folds(5, {.folds = 6}), ParameterError);
  EXPECT_THROW((void)plain_folds(5, {.folds = 2, .repeats = 2, .shuffle = false}), ParameterError);
  EXPECT_THROW((void)stratified_folds({0, 0, 1, 1}, {.folds = 3}), ParameterError);
  EXPECT_THROW((void)grouped_folds({1, 1, 1}, 2), ParameterError);
  EXPECT_THROW((void)predefined_folds({-1, -1}), ParameterError);
  EXPECT_THROW((void)predefined_folds({0, 0}), ParameterError);
  EXPECT_THROW((void)predefined_folds({0, -2}), ParameterError);
  EXPECT_THROW((void)random_splits({0, 1}, 1, 1.0, 0), ParameterError);
  EXPECT_THROW((void)random_splits({0, 1}, 0, 0.5, 0), ParameterError);
  EXPECT_THROW((void)random_splits({0, 1}, 1, 0.5, 0), ParameterError) << "nothing left to train";
}

RC_GTEST_PROP(Folds, KeepGroupsWhereverSamplesAreDealtOut, ()) {
  const Index n = *rc::gen::inRange<Index>(8, 60);
  const Index kinds = *rc::gen::inRange<Index>(4, 8);
  auto groups =
      *rc::gen::container<std::vector<Index>>(to_size(n), rc::gen::inRange<Index>(0, kinds));
  for (Index g = 0; g < 4; ++g) groups[to_size(g)] = g;
  const std::vector<Index> classes(to_size(n), 0);
  const auto all = deal(n, {classes, groups}, {.folds = 3});
  check_parts(all, n);
  RC_ASSERT(keep_groups(all, groups));
  check_groups(all, groups);
  for (const Fold& outer : all) {
    std::set<Index> own;
    for (const Index i : outer.train) own.insert(groups[to_size(i)]);
    if (own.size() < 2) continue;
    RC_ASSERT(keep_groups(deal(outer.train, {classes, groups}, {.folds = 2}), groups));
  }
  const auto splits = random_group_splits(groups, 5, 0.3, 1);
  check_parts(splits, n);
  RC_ASSERT(keep_groups(splits, groups));
}

/// A sample of weight w stands for w samples of its group.
RC_GTEST_PROP(Folds, WeightsCountInTheSizesOfGroups, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(6, 40);
  auto groups = *rc::gen::container<std::vector<Index>>(n, rc::gen::inRange<Index>(0, 8));
  for (Index g = 0; g < 4; ++g) groups[to_size(g)] = g;
  const auto counts = *rc::gen::container<std::vector<Index>>(n, rc::gen::inRange<Index>(1, 4));
  const Vector weights(counts.begin(), counts.end());
  std::vector<Index> repeated;
  for (std::size_t i = 0; i < n; ++i) {
    repeated.insert(repeated.end(), to_size(counts[i]), static_cast<Index>(i));
  }
  const auto own = deal(static_cast<Index>(n), {{}, groups, weights}, {.folds = 3});
  const auto same = deal(length(repeated), {{}, entries_at(groups, repeated)}, {.folds = 3});
  for (std::size_t f = 0; f < own.size(); ++f) {
    std::set<Index> tested;
    for (const Index k : same[f].test) tested.insert(repeated[to_size(k)]);
    RC_ASSERT(own[f].test == std::vector<Index>(tested.begin(), tested.end()));
  }
  RC_ASSERT(grouped_folds(groups, 3, Vector(n, 1.0)) == grouped_folds(groups, 3));
}

/// Of unequal weights each class weighs about the same in every fold, and equal ones change
/// nothing.
RC_GTEST_PROP(Folds, WeightsOfClassesAreSpreadOverTheFolds, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(16, 50);
  const Index folds = *rc::gen::inRange<Index>(2, 5);
  std::vector<Index> classes;
  for (std::size_t i = 0; i < n; ++i) {
    classes.push_back(i < 8 ? static_cast<Index>(i % 2) : *rc::gen::inRange<Index>(0, 2));
  }
  Vector weights;
  for (std::size_t i = 0; i < n; ++i) weights.push_back(*rc::gen::inRange(1, 9) / 2.0);
  const FoldOptions options{.folds = folds, .repeats = 2, .seed = 3};
  const auto spread = stratified_folds(classes, options, weights);
  check_parts(spread, static_cast<Index>(n));
  const double heaviest = *std::ranges::max_element(weights);
  for (Index c = 0; c < 2; ++c) {
    Vector sums;
    for (const Fold& fold : spread) {
      double sum = 0.0;
      for (const Index i : fold.test) {
        if (classes[to_size(i)] == c) sum += weights[to_size(i)];
      }
      sums.push_back(sum);
    }
    const auto [least, most] = std::ranges::minmax(sums);
    RC_ASSERT(most - least <= heaviest);
  }
  const Vector equal(n, 2.5);
  RC_ASSERT(stratified_folds(classes, options, equal) == stratified_folds(classes, options));
}

std::set<std::vector<Index>> different_tests(const std::vector<Fold>& folds) {
  std::set<std::vector<Index>> tests;
  for (const Fold& fold : folds) tests.insert(fold.test);
  return tests;
}

/// Of any weights, also all different ones: folds are those without weights, so each repeat and
/// each seed has its own.
RC_GTEST_PROP(Folds, WeightsOfSamplesDoNotDecideFolds, ()) {
  const auto n = *rc::gen::inRange<Index>(40, 80);
  const bool stratified = *rc::gen::arbitrary<bool>();
  Strata strata;
  for (Index i = 0; i < n; ++i) {
    if (stratified) strata.classes.push_back(i < 12 ? i % 2 : *rc::gen::inRange<Index>(0, 2));
    strata.weights.push_back(*rc::gen::inRange(1, 1'000'000) / 1000.0);
  }
  const FoldOptions options{.folds = 5, .repeats = 4, .seed = 3};
  const auto dealt = deal(n, strata, options);
  RC_ASSERT(dealt == deal(n, {strata.classes, {}}, options));
  RC_ASSERT(different_tests(dealt).size() == 20U);
  RC_ASSERT(dealt != deal(n, strata, {.folds = 5, .repeats = 4, .seed = 4}));
}

TEST(Folds, SayWhichGroupStandsOnBothSides) {
  const std::vector<Index> groups = {7, 7, 8, 9};
  EXPECT_NO_THROW(check_groups({{{0, 1, 2}, {3}}}, groups));
  EXPECT_THROW(check_groups({{{0, 1, 2}, {3}}, {{0, 2}, {1, 3}}}, groups), ParameterError);
  EXPECT_THROW((void)deal(4, {{}, groups}, {.folds = 2, .repeats = 2}), ParameterError);
}

TEST(Folds, StopWhereTheContextSaysSo) {
  const std::vector<Index> classes = {0, 1, 0, 1, 0, 1};
  const std::atomic<bool> cancelled = true;
  Context interrupted;
  interrupted.cancelled = &cancelled;
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  for (const Context& context : {interrupted, late}) {
    EXPECT_THROW((void)deal(6, {}, {.folds = 2}, context), ResourceError);
    EXPECT_THROW((void)deal(6, {classes, {}}, {.folds = 2}, context), ResourceError);
    EXPECT_THROW((void)deal(6, {{}, classes}, {.folds = 2}, context), ResourceError);
    EXPECT_THROW((void)leave_one_out(6, context), ResourceError);
    EXPECT_THROW((void)random_splits(classes, 1, 0.5, 0, context), ResourceError);
    EXPECT_THROW((void)random_group_splits(classes, 1, 0.5, 0, context), ResourceError);
  }
}

}  // namespace
}  // namespace kernmix::testing
