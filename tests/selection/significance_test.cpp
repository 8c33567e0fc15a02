/// \file
/// Permutation tests and what views add: p-values under the null hypothesis, a planted signal, the
/// same bits with any number of threads, refusals.

#include "kernmix/selection/significance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "kernmix/error.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/statistics.hpp"
#include "selection/planted_data.hpp"
#include "selection/stability/exchange.hpp"

namespace kernmix::testing {
namespace {

SignificanceOptions asked_for(Index n, Index permutations, bool views) {
  SignificanceOptions asked;
  asked.folds = plain_folds(n, {.folds = 3, .seed = 1});
  asked.permutations = permutations;
  asked.views = views;
  return asked;
}

TEST(Significance, ScoresAreThoseOfCrossValidation) {
  const Dataset data = planted_data(36, 3, 1, 2.0, 3);
  const SignificanceOptions asked = asked_for(36, 0, false);
  const Significance found = significance(data, linear_options(), asked, {});
  const CrossValidation expected = cross_validate(data, {linear_options()}, asked.folds, {});
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(found.folds[f], score_called(expected.models[0][f].metrics, "accuracy"));
  }
  EXPECT_EQ(found.score, "accuracy");
  EXPECT_FALSE(found.labels);
}

TEST(Significance, PValuesFollowFromThePermutedScores) {
  const Dataset data = planted_data(30, 2, 1, 1.0, 5);
  const Significance found = significance(data, linear_options(), asked_for(30, 9, false), {});
  ASSERT_TRUE(found.labels);
  ASSERT_EQ(found.labels->permuted.size(), 9U);
  double as_good = 0.0;
  for (const double score : found.labels->permuted) as_good += score >= found.mean ? 1.0 : 0.0;
  EXPECT_DOUBLE_EQ(found.labels->p, (1.0 + as_good) / 10.0);
}

TEST(Significance, APlantedSignalHasTheSmallestPossibleP) {
  const Dataset data = planted_data(60, 3, 1, 4.0, 7);
  const Significance found = significance(data, linear_options(), asked_for(60, 19, true), {});
  EXPECT_DOUBLE_EQ(found.labels->p, 0.05) << "no permutation of labels predicts as well";
  ASSERT_EQ(found.views.size(), 3U);
  EXPECT_GT(*found.views[0].drop, 0.2) << "the one view that knows the class";
  EXPECT_LT(*found.views[1].drop, 0.1);
  EXPECT_GT(*found.views[0].explained, 0.5);
}

/// Under the null hypothesis p is uniform on 1/10, ..., 1: of 60 data sets without signal the mean
/// has the expectation 0.55 and the standard deviation 0.287 / sqrt(60) = 0.037; five of them are
/// exceeded with a probability below 1e-6. Ties make p larger, never smaller.
TEST(Significance, PIsUniformWithoutSignal) {
  double sum = 0.0;
  double smallest = 0.0;
  constexpr int sets = 60;
  for (int seed = 0; seed < sets; ++seed) {
    const Dataset data = planted_data(24, 2, 0, 0.0, static_cast<std::uint32_t>(100 + seed));
    Context context;
    context.seed = static_cast<std::uint64_t>(seed);
    SignificanceOptions asked = asked_for(24, 9, false);
    asked.score = "auc";
    const Significance found = significance(data, linear_options(), asked, context);
    sum += found.labels->p;
    smallest += found.labels->p < 0.11 ? 1.0 : 0.0;
  }
  EXPECT_GT(sum / sets, 0.55 - 5.0 * 0.037);
  EXPECT_LT(sum / sets, 0.55 + 5.0 * 0.037 + 0.1);
  // Binomial(60, 0.1): 22 or more with a probability of 6e-8.
  EXPECT_LT(smallest, 22.0);
}

/// The area under the curve of scores without signal: mean 0.5, over 60 sets of 24 samples in three
/// folds with a standard deviation of about 0.12 each; five standard errors are 0.08.
TEST(Significance, CrossValidatedScoresAreUnbiasedWithoutSignal) {
  double sum = 0.0;
  constexpr int sets = 60;
  for (int seed = 0; seed < sets; ++seed) {
    const Dataset data = planted_data(24, 2, 0, 0.0, static_cast<std::uint32_t>(500 + seed));
    SignificanceOptions asked = asked_for(24, 0, false);
    asked.folds = stratified_folds(
        [] {
          std::vector<Index> classes(24);
          for (Index i = 0; i < 24; ++i) classes[to_size(i)] = i % 2;
          return classes;
        }(),
        {.folds = 3, .seed = 2});
    asked.score = "auc";
    sum += significance(data, linear_options(), asked, {}).mean;
  }
  EXPECT_NEAR(sum / sets, 0.5, 0.1);
}

TEST(Significance, HasTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = planted_data(36, 3, 1, 1.0, 11);
  const SignificanceOptions asked = asked_for(36, 5, true);
  Context many;
  many.threads = 3;
  const Significance one = significance(data, linear_options(), asked, {});
  const Significance three = significance(data, linear_options(), asked, many);
  EXPECT_EQ(one.folds, three.folds);
  EXPECT_EQ(one.labels->permuted, three.labels->permuted);
  for (std::size_t v = 0; v < one.views.size(); ++v) {
    EXPECT_EQ(one.views[v].without, three.views[v].without);
    EXPECT_EQ(one.views[v].alone, three.views[v].alone);
  }
}

/// Of repeated folds as of one: an effect has the smallest p, and without one p is uniform.
TEST(Significance, RepeatedFoldsTestLabelsAsFoldsDo) {
  const auto repeated = [](Index n, std::uint32_t seed) {
    std::vector<Index> classes;
    for (Index i = 0; i < n; ++i) classes.push_back(i % 2);
    return stratified_folds(classes, {.folds = 3, .repeats = 3, .seed = seed});
  };
  SignificanceOptions asked = asked_for(36, 19, false);
  asked.folds = repeated(36, 1);
  const Dataset planted = planted_data(36, 2, 1, 4.0, 7);
  const Significance strong = significance(planted, linear_options(), asked, {});
  EXPECT_DOUBLE_EQ(strong.labels->p, 0.05);
  EXPECT_LT(strong.labels->mean, 0.8) << "labels are permuted, not kept";
  double sum = 0.0;
  double smallest = 0.0;
  constexpr int sets = 40;
  for (int seed = 0; seed < sets; ++seed) {
    const Dataset data = planted_data(24, 2, 0, 0.0, static_cast<std::uint32_t>(900 + seed));
    SignificanceOptions none = asked_for(24, 9, false);
    none.folds = repeated(24, static_cast<std::uint32_t>(seed));
    none.score = "auc";
    const Significance found = significance(data, linear_options(), none, {});
    sum += found.labels->p;
    smallest += found.labels->p < 0.11 ? 1.0 : 0.0;
  }
  // As above, with sqrt(40); binomial(40, 0.1): 17 or more with a probability below 1e-6.
  EXPECT_GT(sum / sets, 0.55 - 5.0 * 0.046);
  EXPECT_LT(sum / sets, 0.55 + 5.0 * 0.046);
  EXPECT_LT(smallest, 17.0);
}

TEST(Significance, RefusesToPermuteViewsOfRepeatedFolds) {
  SignificanceOptions asked = asked_for(36, 5, true);
  asked.folds = plain_folds(36, {.folds = 3, .repeats = 2});
  asked.permute_views = true;
  EXPECT_THROW((void)significance(planted_data(36, 2, 1, 1.0, 1), linear_options(), asked, {}),
               ParameterError);
}

TEST(Significance, RefusesWhatHasNoScore) {
  const Dataset data = planted_data(30, 2, 1, 1.0, 13);
  SignificanceOptions asked = asked_for(30, 0, false);
  asked.score = "acuracy";
  EXPECT_THROW((void)significance(data, linear_options(), asked, {}), ParameterError);
  TrainOptions novelty = linear_options();
  novelty.loss = "one-class:nu=0.1";
  EXPECT_THROW((void)significance(data, novelty, asked_for(30, 0, false), {}), ParameterError);
}

/// AUC of a fold that tests one class.
TEST(Significance, LeavesOutFoldsWithoutScore) {
  const Dataset data = planted_data(30, 2, 1, 1.0, 13);
  std::vector<Index> fold;
  std::map<std::string, Index> seen;
  for (const std::string& label : data.table.labels) {
    const Index nth = seen[label]++;
    fold.push_back(label == data.table.labels.front() && nth < 3 ? 2 : nth % 2);
  }
  SignificanceOptions asked;
  asked.folds = predefined_folds(fold);
  asked.score = "auc";
  asked.permutations = 5;
  asked.views = true;
  ASSERT_EQ(asked.folds.size(), 3U);
  const Significance found = significance(data, linear_options(), asked, {});
  EXPECT_TRUE(std::isnan(found.folds[2]));
  EXPECT_DOUBLE_EQ(found.mean, (found.folds[0] + found.folds[1]) / 2.0);
  EXPECT_EQ(found.labels->permuted.size(), 5U);
  EXPECT_EQ(std::ranges::count(found.warnings, "folds-without-score", &Warning::code), 1);
  asked.folds = {asked.folds[2], asked.folds[2]};
  EXPECT_THROW((void)significance(data, linear_options(), asked, {}), DataError);
}

TEST(Significance, ExchangesWholeGroups) {
  const Dataset data = planted_data(24, 2, 1, 1.0, 13);
  TrainOptions options = linear_options();
  for (Index i = 0; i < 24; ++i) options.groups.push_back(i % 8);
  SignificanceOptions asked;
  asked.folds = grouped_folds(options.groups, 2);
  asked.permutations = 3;
  EXPECT_EQ(significance(data, options, asked, {}).labels->permuted.size(), 3U);
  asked.folds = grouped_folds(options.groups, 8);
  EXPECT_THROW((void)significance(data, options, asked, {}), ParameterError) << "one group a fold";
  asked.folds = plain_folds(24, {.folds = 2, .shuffle = false});
  EXPECT_THROW((void)significance(data, options, asked, {}), ParameterError) << "groups are split";
}

/// Any grouping, any folds of whole groups: blocks stay whole, and on their side.
RC_GTEST_PROP(Exchange, MovesWholeBlocksOnTheirSide, ()) {
  const Index n = *rc::gen::inRange<Index>(12, 40);
  auto groups = *rc::gen::container<std::vector<Index>>(to_size(n), rc::gen::inRange<Index>(0, 8));
  for (Index g = 0; g < 4; ++g) groups[to_size(g)] = g;
  const std::set<Index> different(groups.begin(), groups.end());
  Dataset data;
  for (const Index g : groups) data.table.labels.push_back(g % 2 == 0 ? "even" : "odd");
  const bool mixed = *rc::gen::arbitrary<bool>();
  if (mixed) data.table.labels.front() += "!";
  const auto folds = grouped_folds(groups, 2);
  for (const Exchanged what : {Exchanged::labels, Exchanged::rows}) {
    const Exchange exchange(data, {folds, groups, {}}, n, what);
    LegacyRandom random(3);
    const std::vector<Index> order = exchange.next(random);
    const bool several = mixed && std::ranges::count(groups, groups.front()) > 1;
    const bool any_size = what == Exchanged::labels && !several;
    std::map<Index, Index> from;
    for (Index i = 0; i < n; ++i) {
      const Index own = groups[to_size(i)];
      const Index other = groups[to_size(order[to_size(i)])];
      RC_ASSERT(from.try_emplace(own, other).first->second == other);
      const auto tested = [&](Index k) { return std::ranges::binary_search(folds[0].test, k); };
      RC_ASSERT(tested(i) == tested(order[to_size(i)]));
      if (!any_size) {
        RC_ASSERT(std::ranges::count(groups, own) == std::ranges::count(groups, other));
      }
    }
    std::set<Index> targets;
    for (const auto& [own, other] : from) targets.insert(other);
    RC_ASSERT(targets.size() == different.size());
    if (any_size) continue;
    std::vector<Index> sorted = order;
    std::ranges::sort(sorted);
    for (Index i = 0; i < n; ++i) RC_ASSERT(sorted[to_size(i)] == i);
  }
}

/// Blocks of any kind: samples exchange with samples of their block, groups with groups of their
/// block.
RC_GTEST_PROP(Exchange, StaysWithinBlocks, ()) {
  const Index n = *rc::gen::inRange<Index>(12, 40);
  std::vector<Index> groups;
  std::vector<Index> sites;
  Dataset data;
  for (Index i = 0; i < n; ++i) {
    groups.push_back(i / 2);
    sites.push_back(groups.back() % 3);
    data.table.labels.push_back(*rc::gen::arbitrary<bool>() ? "a" : "b");
  }
  const std::vector<Index> none;
  LegacyRandom random(1);
  const auto stays = [&](const ExchangeLimits& limits) {
    const Exchange exchange(data, limits, n, Exchanged::labels);
    std::vector<Index> order = exchange.next(random);
    for (Index i = 0; i < n; ++i) {
      RC_ASSERT(limits.within[to_size(i)] == limits.within[to_size(order[to_size(i)])]);
    }
    std::ranges::sort(order);
    RC_ASSERT(std::ranges::adjacent_find(order) == order.end() || limits.groups.size() > 0);
  };
  stays({{}, none, sites});
  stays({{}, groups, sites});
  stays({{}, groups, groups});
  sites.back() = sites.front() + 1;
  sites[to_size(n - 2)] = sites.front();
  if (n % 2 == 0) {
    RC_ASSERT_THROWS_AS(Exchange(data, {{}, groups, sites}, n, Exchanged::labels), ParameterError);
  }
}

/// The number of different assignments of labels, by its formula, and the share of samples that
/// move.
TEST(Exchange, SaysHowMuchCanChange) {
  Dataset data;
  data.table.labels = {"a", "a", "b", "b", "a", "a"};
  const std::vector<Index> none;
  const auto room = [&](const std::vector<Index>& groups, const std::vector<Index>& within) {
    return Exchange(data, {{}, groups, within}, 6, Exchanged::labels).room();
  };
  EXPECT_NEAR(room(none, none).arrangements, 15.0, 1e-9) << "6! / (4! 2!)";
  EXPECT_DOUBLE_EQ(room(none, none).movable, 1.0);
  EXPECT_NEAR(room(none, {0, 0, 0, 0, 1, 1}).arrangements, 6.0, 1e-9);
  EXPECT_DOUBLE_EQ(room(none, {0, 0, 0, 0, 1, 1}).movable, 4.0 / 6.0);
  EXPECT_NEAR(room({0, 0, 1, 1, 2, 2}, none).arrangements, 3.0, 1e-9);
  const ExchangeRoom mixed = room({0, 1, 1, 1, 2, 2}, none);
  EXPECT_TRUE(mixed.mixed);
  EXPECT_NEAR(mixed.arrangements, 1.0, 1e-9) << "all groups have different sizes";
  EXPECT_NEAR(room({0, 1, 1, 1, 2, 2}, {0, 1, 1, 1, 2, 2}).arrangements, 3.0, 1e-9)
      << "inside of the groups";
}

TEST(Significance, SaysThatMixedGroupsHardlyExchange) {
  const Dataset data = planted_data(40, 2, 1, 1.0, 13);
  TrainOptions options = linear_options();
  for (Index i = 0; i < 40; ++i) options.groups.push_back(i < 4 ? i / 2 : (i - 4) / 6 + 2);
  SignificanceOptions asked;
  asked.folds = grouped_folds(options.groups, 4);
  asked.permutations = 3;
  const auto codes = [&] {
    std::set<std::string> all;
    for (const Warning& one : significance(data, options, asked, {}).warnings) all.insert(one.code);
    return all;
  };
  EXPECT_TRUE(codes().contains("few-arrangements"));
  asked.within = options.groups;
  EXPECT_FALSE(codes().contains("few-arrangements"));
}

Vector skewed_weights(Index n, double spread, Numbers& numbers) {
  Vector weights;
  for (Index i = 0; i < n; ++i) weights.push_back(std::exp(spread * numbers.normal()));
  return weights;
}

/// As PIsUniformWithoutSignal, with weights of a large spread and folds that are dealt for them.
/// With folds that balance the weights of the true classes the mean is 0.39, and 0.21 of the p are
/// below 0.11.
TEST(Significance, PIsUniformWithAnyWeights) {
  double sum = 0.0;
  double smallest = 0.0;
  constexpr int sets = 150;
  for (int seed = 0; seed < sets; ++seed) {
    const Dataset data = planted_data(30, 2, 0, 0.0, static_cast<std::uint32_t>(2000 + seed));
    Numbers numbers(static_cast<std::uint32_t>(5000 + seed));
    TrainOptions options = linear_options();
    options.sample_weights = skewed_weights(30, 1.8, numbers);
    std::vector<Index> classes;
    for (Index i = 0; i < 30; ++i) classes.push_back(i % 2);
    SignificanceOptions asked;
    asked.folds = deal(30, {classes, {}, options.sample_weights},
                       {.folds = 3, .seed = static_cast<std::uint32_t>(seed)});
    asked.permutations = 9;
    Context context;
    context.seed = static_cast<std::uint64_t>(seed);
    const Significance found = significance(data, options, asked, context);
    sum += found.labels->p;
    smallest += found.labels->p < 0.11 ? 1.0 : 0.0;
  }
  // Standard deviation 0.287 / sqrt(150) = 0.023; binomial(150, 0.1): 34 or more with 1e-5.
  EXPECT_GT(sum / sets, 0.55 - 4.0 * 0.023);
  EXPECT_LT(sum / sets, 0.55 + 4.0 * 0.023);
  EXPECT_LT(smallest, 34.0);
}

/// Weights of the classes, also with some variation: an effect is found, and without one p is
/// uniform.
TEST(Significance, WeightsThatFollowClassesMoveWithThem) {
  const auto run = [](double shift, double spread, int seed) {
    Dataset data = planted_data(48, 2, 1, 0.0, static_cast<std::uint32_t>(3000 + seed));
    Numbers numbers(static_cast<std::uint32_t>(seed));
    TrainOptions options = linear_options();
    SignificanceOptions asked;
    std::vector<Index> classes;
    for (Index i = 0; i < 48; ++i) {
      const bool rare = i % 4 == 0;
      data.table.labels[to_size(i)] = rare ? "rare" : "usual";
      if (rare) data.table.values(i, 0) += shift;
      options.sample_weights.push_back((rare ? 2.0 : 2.0 / 3.0) *
                                       std::exp(spread * numbers.normal()));
      classes.push_back(rare ? 1 : 0);
    }
    asked.folds = deal(48, {classes, {}, options.sample_weights}, {.folds = 3, .seed = 1});
    asked.permutations = 9;
    Context context;
    context.seed = static_cast<std::uint64_t>(seed);
    return significance(data, options, asked, context);
  };
  for (const double spread : {0.0, 0.2}) {
    const Significance strong = run(3.0, spread, 1);
    EXPECT_DOUBLE_EQ(strong.labels->p, 0.1) << "no permutation is as good";
    EXPECT_LT(strong.labels->mean, 0.7) << "the larger class has no larger weight";
    EXPECT_EQ(std::ranges::count(strong.warnings, "weights-follow-labels", &Warning::code), 1);
  }
  double sum = 0.0;
  constexpr int sets = 40;
  for (int seed = 0; seed < sets; ++seed) sum += run(0.0, 0.0, seed).labels->p;
  EXPECT_NEAR(sum / sets, 0.55, 5.0 * 0.046);
}

/// Of any model that fits something in folds of its training part: the scores of cross-validation,
/// to the last digit, with all views and with one of them.
TEST(Significance, ScoresOfModelsThatFitInsideAreThoseOfCrossValidation) {
  const Dataset data = planted_data(45, 2, 1, 1.0, 3);
  Dataset labelled = data;
  labelled.table.labels.clear();
  labelled.table.multi_labels.names = {"l1", "l2"};
  for (Index i = 0; i < 45; ++i) {
    labelled.table.multi_labels.values.push_back(data.table.values(i, 0) > 0.3 ? 1 : 0);
    labelled.table.multi_labels.values.push_back(data.table.values(i, 1) > 0.0 ? 1 : 0);
  }
  for (const std::string kernel : {"", "rbf(width=median)", "linear"}) {
    for (const bool calibrated : {true, false}) {
      TrainOptions options;
      if (!kernel.empty()) options.kernels = {kernel};
      options.calibration = calibrated ? CalibrationMethod::platt : CalibrationMethod::none;
      options.threshold_folds = calibrated ? 0 : 3;
      const Dataset& used = calibrated ? data : labelled;
      SignificanceOptions asked = asked_for(45, 2, true);
      asked.score = calibrated ? "log_loss" : "macro_f1";
      const Significance found = significance(used, options, asked, {});
      const auto scores = [&](const Dataset& of) {
        const CrossValidation folds = cross_validate(of, {options}, asked.folds, {});
        Vector values;
        for (const FoldScore& fold : folds.models.front()) {
          values.push_back(*score_called(fold.metrics, asked.score));
        }
        return values;
      };
      EXPECT_EQ(found.folds, scores(used)) << kernel;
      Dataset one = used;
      one.views.pop_back();
      EXPECT_EQ(found.views[0].alone, scores(one)) << kernel;
      EXPECT_EQ(found.views[1].without, scores(one)) << kernel;
      EXPECT_EQ(found.labels->permuted.size(), 2U);
    }
  }
}

TEST(Significance, AdjustsTheDropsOfAllViews) {
  const Dataset data = planted_data(60, 3, 1, 2.0, 7);
  const Significance found = significance(data, linear_options(), asked_for(60, 0, true), {});
  Vector known;
  for (const ViewScores& view : found.views) {
    if (view.p_drop) known.push_back(*view.p_drop);
  }
  const Vector adjusted = holm(known);
  std::size_t next = 0;
  for (const ViewScores& view : found.views) {
    EXPECT_EQ(view.p_holm.has_value(), view.p_drop.has_value());
    if (!view.p_drop) continue;
    EXPECT_EQ(*view.p_holm, adjusted[next++]);
  }
}

/// Folds that are given twice are one draw.
TEST(Significance, EqualFoldsAreOneDraw) {
  const Dataset data = planted_data(60, 3, 1, 2.0, 7);
  SignificanceOptions asked = asked_for(60, 0, true);
  const Significance once = significance(data, linear_options(), asked, {});
  const std::vector<Fold> folds = asked.folds;
  for (int copy = 0; copy < 3; ++copy) {
    asked.folds.insert(asked.folds.end(), folds.begin(), folds.end());
  }
  const Significance four = significance(data, linear_options(), asked, {});
  for (std::size_t v = 0; v < once.views.size(); ++v) {
    EXPECT_EQ(once.views[v].p_drop, four.views[v].p_drop);
  }
}

TEST(Significance, RefusesFoldsThatAreNone) {
  const Dataset data = planted_data(30, 2, 1, 1.0, 13);
  const std::vector<Index> even = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
  const std::vector<Index> odd = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29};
  const std::vector<std::vector<Fold>> wrong = {{},
                                                {{even, odd}},
                                                {{even, odd}, {odd, {30}}},
                                                {{even, odd}, {odd, {-1, 3}}},
                                                {{even, odd}, {odd, {2, 0}}},
                                                {{even, odd}, {odd, {2, 2}}},
                                                {{even, odd}, {{}, even}}};
  for (const std::vector<Fold>& folds : wrong) {
    SignificanceOptions asked;
    asked.folds = folds;
    EXPECT_THROW((void)significance(data, linear_options(), asked, {}), ParameterError);
  }
}

TEST(Significance, RefusesMoreModelsThanTimeOrMemoryHolds) {
  const Dataset data = planted_data(30, 2, 1, 1.0, 13);
  const SignificanceOptions many = asked_for(30, Index{1} << 61U, false);
  EXPECT_THROW((void)significance(data, linear_options(), many, {}), ParameterError);
  Context context;
  context.memory_bytes = std::size_t{32} << 20U;
  const SignificanceOptions large = asked_for(30, 3'000'000, false);
  EXPECT_THROW((void)significance(data, linear_options(), large, context), ResourceError);
}

TEST(Significance, EndsWithWhatIsFinished) {
  const Dataset data = planted_data(36, 3, 1, 1.0, 17);
  std::atomic<bool> stop = false;
  Context context;
  context.cancelled = &stop;
  context.progress = [&](const Progress& moment) {
    if (moment.stage != "scores" && moment.done > 0) stop = true;
  };
  const Significance found = significance(data, linear_options(), asked_for(36, 50, true), context);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.folds.size(), 3U);
  EXPECT_FALSE(found.warnings.empty());
}

}  // namespace
}  // namespace kernmix::testing
