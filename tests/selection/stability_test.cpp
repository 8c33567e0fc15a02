/// \file
/// Selection frequencies and intervals: what resamples are, what is planted is found, what is not
/// there is not.

#include "kernmix/selection/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "planted_data.hpp"
#include "selection/stability/precomputed_kernels.hpp"
#include "selection/stability/resamples.hpp"
#include "selection/stability/shares.hpp"

namespace kernmix {
namespace {

StabilityOptions quick(Index resamples, Index null_runs = 0) {
  StabilityOptions options;
  options.resamples = resamples;
  options.null_runs = null_runs;
  return options;
}

TEST(Stability, FindsPlantedKernelsAndNoOthersByBound) {
  const Dataset data = planted_data(80, 10, 2, 2.0, 3);
  const Stability found = weight_stability(data, linear_options(), quick(40, 2), {});
  EXPECT_EQ(found.resamples, 40);
  EXPECT_TRUE(found.complete);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_GE(found.whole.kernels[m].frequency, 0.9) << m;
    EXPECT_GT(found.whole.kernels[m].low, 0.0);
    EXPECT_GT(found.whole.kernels[m].frequency, *found.whole.kernels[m].null_frequency);
  }
  ASSERT_TRUE(found.false_bound);
  const double q = found.mean_chosen;
  EXPECT_DOUBLE_EQ(*found.false_bound, q * q / (0.8 * 10.0));
  ASSERT_TRUE(found.null);
  EXPECT_EQ(found.null->runs, 2);
}

/// The shares of views leave kernels that act as the identity out, as those of a model do.
TEST(Stability, GivesIdentitiesToNoView) {
  const Dataset data = planted_data(60, 4, 2, 2.0, 3);
  TrainOptions options = linear_options();
  options.kernels = {"linear", "rbf(gamma=1e6)"};
  options.regularizer = "lp:p=2";
  const Stability found = weight_stability(data, options, quick(10), {});
  double whole = 0.0;
  for (const WeightStability& view : found.whole.views) whole += view.share;
  EXPECT_NEAR(whole, 1.0, 1e-12);
  double of_identities = 0.0;
  for (std::size_t m = 0; m < found.kernels.size(); ++m) {
    const bool identity = found.kernels[m].function.text().starts_with("rbf");
    if (identity) of_identities += found.whole.kernels[m].share;
  }
  ASSERT_GT(of_identities, 0.1);
  for (std::size_t v = 0; v < found.views.size(); ++v) {
    double linear = 0.0;
    for (std::size_t m = 0; m < found.kernels.size(); ++m) {
      const bool identity = found.kernels[m].function.text().starts_with("rbf");
      if (!identity && found.view_of_kernel[m] == static_cast<Index>(v)) {
        linear += found.whole.kernels[m].share;
      }
    }
    EXPECT_NEAR(found.whole.views[v].share, linear / (1.0 - of_identities), 1e-12);
  }
}

TEST(Stability, CountsMeansAndIntervalsFollowFromTheShares) {
  const Dataset data = planted_data(60, 6, 2, 1.0, 5);
  StabilityOptions options = quick(20);
  options.threshold = 0.1;
  options.level = 0.5;
  const Stability found = weight_stability(data, linear_options(), options, {});
  for (Index m = 0; m < 6; ++m) {
    Vector column;
    for (Index r = 0; r < 20; ++r) column.push_back(found.shares(r, m));
    const auto chosen = std::ranges::count_if(column, [](double s) { return s > 0.1; });
    const WeightStability& kernel = found.whole.kernels[to_size(m)];
    EXPECT_DOUBLE_EQ(kernel.frequency, static_cast<double>(chosen) / 20.0);
    EXPECT_NEAR(kernel.mean, std::accumulate(column.begin(), column.end(), 0.0) / 20.0, 1e-15);
    std::ranges::sort(column);  // numpy.quantile(column, 0.25): place 4.75 of 0 .. 19
    EXPECT_NEAR(kernel.low, 0.25 * column[4] + 0.75 * column[5], 1e-15);
    EXPECT_NEAR(kernel.high, 0.75 * column[14] + 0.25 * column[15], 1e-15);
  }
  for (Index r = 0; r < 20; ++r) {
    const ConstSpan row = found.shares.row(r);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-12);
  }
}

/// Of many data sets of one kind: intervals hold the mean share at least as often as they say, and
/// are not much longer than shares vary. Each bound is further than three standard deviations.
TEST(Stability, IntervalsCoverTheMeanShare) {
  constexpr Index kSets = 30;
  TrainOptions linear = linear_options();
  linear.regularizer = "lp:p=2";
  for (const Resampling method : {Resampling::subsample, Resampling::bootstrap}) {
    StabilityOptions options = quick(30);
    options.method = method;
    options.level = 0.9;
    std::vector<WeightStability> found;
    for (std::uint32_t seed = 0; seed < kSets; ++seed) {
      const Dataset data = planted_data(60, 3, 1, 1.0, seed);
      found.push_back(weight_stability(data, linear, options, {}).whole.kernels.front());
    }
    const auto mean_of = [&](auto&& value) {
      return std::transform_reduce(found.begin(), found.end(), 0.0, std::plus<>{}, value) / kSets;
    };
    const double mean = mean_of([](const WeightStability& w) { return w.share; });
    const double variance =
        mean_of([&](const WeightStability& w) { return (w.share - mean) * (w.share - mean); });
    const double covered = mean_of(
        [&](const WeightStability& w) { return w.low <= mean && mean <= w.high ? 1.0 : 0.0; });
    const double width = mean_of([](const WeightStability& w) { return w.high - w.low; });
    EXPECT_GE(covered, 0.9 - 3.1 * std::sqrt(0.9 * 0.1 / kSets)) << resampling_name(method);
    EXPECT_LT(width, 1.6 * 2.0 * 1.645 * std::sqrt(variance)) << resampling_name(method);
  }
}

TEST(Stability, AViewHasTheSharesOfItsKernels) {
  const Dataset data = planted_data(40, 3, 1, 1.5, 2);
  TrainOptions options;
  options.kernels = {"linear", "rbf(gamma=1)"};
  const Stability found = weight_stability(data, options, quick(10), {});
  ASSERT_EQ(found.views, (std::vector<std::string>{"x1", "x2", "x3"}));
  ASSERT_EQ(found.kernels.size(), 6U);
  for (std::size_t v = 0; v < 3; ++v) {
    double share = 0.0;
    double mean = 0.0;
    double most = 0.0;
    for (std::size_t m = 0; m < 6; ++m) {
      if (found.view_of_kernel[m] != static_cast<Index>(v)) continue;
      share += found.whole.kernels[m].share;
      mean += found.whole.kernels[m].mean;
      most = std::max(most, found.whole.kernels[m].frequency);
    }
    EXPECT_NEAR(found.whole.views[v].share, share, 1e-12);
    EXPECT_NEAR(found.whole.views[v].mean, mean, 1e-12);
    EXPECT_GE(found.whole.views[v].frequency, most);
  }
}

TEST(Stability, HasTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = planted_data(40, 4, 1, 1.0, 8);
  Context several;
  several.threads = 3;
  const Stability one = weight_stability(data, linear_options(), quick(10, 1), {});
  const Stability three = weight_stability(data, linear_options(), quick(10, 1), several);
  EXPECT_EQ(one.shares.values, three.shares.values);
  EXPECT_EQ(one.null->stable, three.null->stable);
}

TEST(Stability, ABootstrapEqualsTrainingOnCopies) {
  const Dataset data = planted_data(30, 3, 1, 1.0, 4);
  TrainOptions options = linear_options();
  options.scaling = ScalingRule::none;
  options.normalization = parse_normalization("none");
  options.regularizer = "lp:p=2";
  options.solver.tolerance = 1e-7;
  StabilityOptions asked = quick(2);
  asked.method = Resampling::bootstrap;
  const Stability found = weight_stability(data, options, asked, {});
  const auto draws = draw_resamples({classes_to_keep(data, options), {}}, Resampling::bootstrap, 2,
                                    Context{}.seed, 0);
  for (Index r = 0; r < 2; ++r) {
    std::vector<Index> copies;
    const Resample& draw = draws[to_size(r)];
    for (std::size_t k = 0; k < draw.rows.size(); ++k) {
      for (int c = 0; c < static_cast<int>(draw.weights[k]); ++c) copies.push_back(draw.rows[k]);
    }
    ASSERT_EQ(copies.size(), 30U);
    const Model model = train(rows_of(data, copies), options, {}).model;
    const Matrix shares = shares_of(model);
    for (Index m = 0; m < 3; ++m) EXPECT_NEAR(found.shares(r, m), shares(0, m), 1e-3);
  }
}

TEST(Stability, StepsThatChangeNothingChangeNoBit) {
  const Dataset data = planted_data(60, 6, 2, 1.0, 5);
  StabilityOptions options = quick(8, 1);
  options.method = Resampling::bootstrap;
  const Stability alone = weight_stability(data, linear_options(), options, {});
  std::atomic<int> drawn_twice = 0;
  options.steps = [&](const StepSamples& samples) {
    EXPECT_EQ(samples.rows.size(), 60U);
    if (std::ranges::adjacent_find(samples.rows) != samples.rows.end()) ++drawn_twice;
    return std::make_shared<const Dataset>(data);
  };
  const Stability found = weight_stability(data, linear_options(), options, {});
  EXPECT_EQ(found.shares.values, alone.shares.values);
  EXPECT_EQ(found.null->mean_chosen, alone.null->mean_chosen);
  EXPECT_EQ(drawn_twice, 16);
}

TEST(Stability, StepsThatLeadToOtherKernelsAreRefused) {
  const Dataset data = planted_data(60, 6, 2, 1.0, 5);
  StabilityOptions options = quick(4);
  options.steps = [](const StepSamples&) {
    return std::make_shared<const Dataset>(planted_data(60, 5, 2, 1.0, 5));
  };
  EXPECT_THROW((void)weight_stability(data, linear_options(), options, {}), DataError);
}

TEST(Stability, SubsamplesComeInPairsThatKeepClasses) {
  const std::vector<Index> classes = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2};
  const auto draws = draw_resamples({classes, {}}, Resampling::subsample, 20, 7, 0);
  ASSERT_EQ(draws.size(), 20U);
  for (std::size_t pair = 0; pair < 20; pair += 2) {
    std::set<Index> all(draws[pair].rows.begin(), draws[pair].rows.end());
    all.insert(draws[pair + 1].rows.begin(), draws[pair + 1].rows.end());
    EXPECT_EQ(all.size(), classes.size());
    EXPECT_EQ(draws[pair].rows.size() + draws[pair + 1].rows.size(), classes.size());
    const auto sizes = length(draws[pair].rows) - length(draws[pair + 1].rows);
    EXPECT_LE(std::abs(sizes), 1);
    for (const Resample* half : {&draws[pair], &draws[pair + 1]}) {
      std::vector<Index> count(3, 0);
      for (const Index i : half->rows) ++count[to_size(classes[to_size(i)])];
      EXPECT_TRUE(count[0] == 1 || count[0] == 2);
      EXPECT_TRUE(count[1] == 2 || count[1] == 3);
      EXPECT_TRUE(count[2] == 1 || count[2] == 2);
      EXPECT_NEAR(std::accumulate(half->weights.begin(), half->weights.end(), 0.0), 11.0, 1e-12);
    }
  }
}

/// Groups of one class and of several, of unequal sizes.
TEST(Stability, DrawsWholeGroups) {
  Strata strata;
  for (Index i = 0; i < 60; ++i) {
    const Index group = i % 11;
    strata.groups.push_back(7 * group);
    strata.classes.push_back(group < 4 ? 0 : group < 8 ? 1 : i % 2);
  }
  for (const Resampling method : {Resampling::subsample, Resampling::bootstrap}) {
    const auto draws = draw_resamples(strata, method, 40, 5, 1);
    for (std::size_t r = 0; r < draws.size(); ++r) {
      const Resample& draw = draws[r];
      EXPECT_NEAR(std::accumulate(draw.weights.begin(), draw.weights.end(), 0.0), 60.0, 1e-9);
      std::map<Index, std::set<double>> weights;
      std::map<Index, Index> count;
      for (std::size_t k = 0; k < draw.rows.size(); ++k) {
        const Index group = strata.groups[to_size(draw.rows[k])];
        weights[group].insert(draw.weights[k]);
        ++count[group];
      }
      for (const auto& [group, own] : weights) EXPECT_EQ(own.size(), 1U);
      for (const auto& [group, own] : count) {
        EXPECT_EQ(own, std::ranges::count(strata.groups, group)) << "group " << group;
      }
      const std::vector<Index> classes = entries_at(strata.classes, draw.rows);
      EXPECT_EQ(std::set<Index>(classes.begin(), classes.end()).size(), 2U);
      if (method == Resampling::bootstrap || r % 2 == 0) continue;
      EXPECT_EQ(draw.rows.size() + draws[r - 1].rows.size(), 60U);
    }
  }
}

TEST(Stability, ABootstrapDrawsAsManyOfEachClass) {
  const std::vector<Index> classes = {0, 0, 0, 0, 1, 1, 1};
  for (const Resample& draw : draw_resamples({classes, {}}, Resampling::bootstrap, 25, 1, 3)) {
    Vector count(2, 0.0);
    for (std::size_t k = 0; k < draw.rows.size(); ++k) {
      count[to_size(classes[to_size(draw.rows[k])])] += draw.weights[k];
    }
    EXPECT_EQ(count, (Vector{4.0, 3.0}));
  }
}

TEST(Stability, SaysWhatMakesItsNumbersMeanLess) {
  const Dataset data = planted_data(30, 3, 1, 1.0, 6);
  const auto codes = [](const Stability& found) {
    std::set<std::string> all;
    for (const Warning& warning : found.warnings) all.insert(warning.code);
    return all;
  };
  TrainOptions dense = linear_options();
  dense.C = 1000.0;
  dense.regularizer = "elastic-net-bach:lambda=0.01";
  EXPECT_TRUE(codes(weight_stability(data, dense, quick(10), {})).contains("all-chosen"));
  EXPECT_TRUE(codes(weight_stability(data, dense, quick(10), {})).contains("few-resamples"));
  EXPECT_FALSE(codes(weight_stability(data, dense, quick(40), {})).contains("few-resamples"));
  dense.regularizer = "average";
  EXPECT_TRUE(codes(weight_stability(data, dense, quick(10), {})).contains("fixed-weights"));
  StabilityOptions bootstrap = quick(10);
  bootstrap.method = Resampling::bootstrap;
  const Dataset noise = planted_data(30, 8, 0, 0.0, 6);
  EXPECT_TRUE(codes(weight_stability(noise, linear_options(), bootstrap, {}))
                  .contains("bootstrap-at-zero"));
  const Dataset few = planted_data(12, 2, 1, 1.0, 6);
  EXPECT_TRUE(codes(weight_stability(few, linear_options(), quick(4), {})).contains("small-class"));
}

/// Of regularizers that give every kernel weight: nothing about counts, and the shares by chance.
TEST(Stability, ComparesSharesWhereEveryKernelHasWeight) {
  const Dataset data = planted_data(40, 3, 1, 2.0, 6);
  const std::set<std::string> of_counts = {"all-chosen", "bound-says-nothing",
                                           "no-more-than-chance", "bootstrap-at-zero"};
  TrainOptions dense = linear_options();
  for (const std::string regularizer : {"lp:p=2", "lp:p=1.2", "entropy:theta=1"}) {
    dense.regularizer = regularizer;
    StabilityOptions asked = quick(10);
    asked.null_runs = 3;
    const Stability found = weight_stability(data, dense, asked, {});
    EXPECT_FALSE(found.sparse);
    for (const Warning& one : found.warnings) EXPECT_FALSE(of_counts.contains(one.code));
    double sum = 0.0;
    for (const WeightStability& kernel : found.whole.kernels) sum += kernel.null_mean.value();
    EXPECT_NEAR(sum, 1.0, 1e-9) << "shares under permuted labels";
    EXPECT_GT(found.whole.kernels.front().mean, *found.whole.kernels.front().null_mean)
        << "the informative view";
  }
}

TEST(Stability, RefusesOptionsThatMeanNothing) {
  const Dataset data = planted_data(20, 2, 1, 1.0, 6);
  const auto asked = [&](const StabilityOptions& options) {
    return weight_stability(data, linear_options(), options, {});
  };
  EXPECT_THROW((void)asked(quick(3)), ParameterError);
  EXPECT_THROW((void)asked(quick(0)), ParameterError);
  StabilityOptions options = quick(4);
  options.threshold = 1.0;
  EXPECT_THROW((void)asked(options), ParameterError);
  options = quick(4);
  options.often = 0.5;
  EXPECT_THROW((void)asked(options), ParameterError);
  options = quick(4);
  options.level = 1.0;
  EXPECT_THROW((void)asked(options), ParameterError);
  TrainOptions distances = linear_options();
  distances.loss = "svdd:nu=0.2";
  EXPECT_THROW((void)weight_stability(data, distances, quick(4), {}), ParameterError);
  TrainOptions landmarks = linear_options();
  landmarks.landmarks = parse_landmarks("10");
  EXPECT_THROW((void)weight_stability(data, landmarks, quick(4), {}), ParameterError);
}

TEST(Stability, RefusesMoreModelsThanTimeOrMemoryHolds) {
  const Dataset data = planted_data(30, 2, 1, 1.0, 13);
  for (const Index resamples : {Index{1} << 24U, Index{1} << 62U}) {
    EXPECT_THROW((void)weight_stability(data, linear_options(), quick(resamples), {}),
                 ParameterError);
  }
  Context context;
  context.memory_bytes = std::size_t{32} << 20U;
  const StabilityOptions large = quick(1'000'000);
  EXPECT_THROW((void)weight_stability(data, linear_options(), large, context), ResourceError);
}

TEST(Stability, RefusesPartsThatDoNotFitTogether) {
  Dataset data = planted_data(30, 2, 1, 1.0, 13);
  TrainOptions options = linear_options();
  options.sample_weights = Vector(29, 1.0);
  EXPECT_THROW((void)weight_stability(data, options, quick(4), {}), ParameterError);
  data.matrices.push_back({"small", KernelInput::gram, Matrix(4, 30)});
  EXPECT_THROW((void)weight_stability(data, linear_options(), quick(4), {}), DataError);
  data.matrices.back().matrix = Matrix(30, 4);
  EXPECT_THROW((void)weight_stability(data, linear_options(), quick(4), {}), DataError);
}

TEST(Stability, RefusesAClassThatHalvesCannotHold) {
  Dataset data = planted_data(20, 2, 1, 1.0, 6);
  data.table.labels[0] = "third";
  EXPECT_THROW((void)weight_stability(data, linear_options(), quick(4), {}), DataError);
  StabilityOptions bootstrap = quick(4);
  bootstrap.method = Resampling::bootstrap;
  EXPECT_EQ(weight_stability(data, linear_options(), bootstrap, {}).resamples, 4);
}

TEST(Stability, EndsWithWhatIsFinished) {
  const Dataset data = planted_data(40, 4, 1, 1.0, 8);
  std::atomic<bool> cancelled = false;
  Context context;
  context.cancelled = &cancelled;
  context.progress = [&](const Progress& moment) {
    if (moment.stage == "resamples" && moment.done == 6) cancelled = true;
  };
  const Stability found = weight_stability(data, linear_options(), quick(20, 1), context);
  EXPECT_EQ(found.resamples, 6);
  EXPECT_FALSE(found.complete);
  EXPECT_FALSE(found.null);
  EXPECT_EQ(found.warnings.front().code, "stopped-early");
  cancelled = true;
  EXPECT_THROW((void)weight_stability(data, linear_options(), quick(20), context), ResourceError);
}

TEST(Stability, GoesBeyondTwoClasses) {
  Dataset data = planted_data(45, 3, 1, 1.0, 9);
  for (std::size_t i = 0; i < 45; ++i) data.table.labels[i] = std::string(1, "abc"[i % 3]);
  TrainOptions options = linear_options();
  options.coupling = "separate";
  const Stability classes = weight_stability(data, options, quick(6), {});
  ASSERT_EQ(classes.tasks.size(), 3U);
  EXPECT_EQ(classes.tasks[1].name, "b");
  for (std::size_t i = 0; i < 45; ++i) data.table.labels[i] = std::to_string(i % 7);
  options = linear_options();
  options.loss = "squared";
  EXPECT_EQ(weight_stability(data, options, quick(6, 1), {}).resamples, 6);
  options.loss = "one-class:nu=0.2";
  const Stability novelty = weight_stability(data, options, quick(6, 1), {});
  EXPECT_FALSE(novelty.null);
}

}  // namespace
}  // namespace kernmix
