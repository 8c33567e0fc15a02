/// \file
/// Methods on the same splits: what a cell is, and what it must not depend on.

#include "kernmix/selection/comparison.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>

#include "kernmix/error.hpp"
#include "kernmix/selection/comparison_summary.hpp"
#include "kernmix/selection/cross_validation.hpp"

namespace kernmix::testing {
namespace {

/// Even numbers in (-1, 1) that look random.
double fraction(int i, double root) {
  const double x = std::sqrt(root) * (i + 1);
  return 2.0 * (x - std::floor(x)) - 1.0;
}

/// 48 samples with three columns; the class is which side of a curve two of them lie on, but for
/// every eleventh sample.
Dataset curved_data() {
  Dataset data;
  data.table.source = "curved";
  data.table.columns = {"a", "b", "c"};
  data.table.values = Matrix(48, 3);
  for (int i = 0; i < 48; ++i) {
    const double a = fraction(i, 2.0);
    const double b = fraction(i, 3.0);
    data.table.values(i, 0) = a;
    data.table.values(i, 1) = b;
    data.table.values(i, 2) = fraction(i, 5.0);
    data.table.labels.emplace_back((b > a * a - 0.3) != (i % 11 == 0) ? "in" : "out");
  }
  data.views = {{"all", {"a", "b", "c"}}};
  return data;
}

TrainOptions options_with(const std::string& regularizer, double C) {
  TrainOptions options;
  options.regularizer = regularizer;
  options.C = C;
  return options;
}

ComparedMethod method_over_C(const std::string& name, const std::string& regularizer) {
  ComparedMethod method{name, {}};
  for (const double C : {0.1, 1.0, 10.0}) {
    method.candidates.push_back({"C=" + std::to_string(C), options_with(regularizer, C)});
  }
  return method;
}

ComparedData compared(std::vector<ComparedMethod> methods) {
  ComparedData data{"curved", curved_data(), {}, std::move(methods)};
  std::vector<Index> classes;
  for (const std::string& label : data.data.table.labels) classes.push_back(label == "in" ? 1 : 0);
  data.splits = stratified_folds(classes, {4, 1, true, 3});
  return data;
}

ComparisonRules rules_of_test() { return {{"accuracy", "auc"}, 3, 7}; }

std::vector<std::vector<std::optional<double>>> scores_of(
    const std::vector<ComparedSplit>& splits) {
  std::vector<std::vector<std::optional<double>>> all;
  for (const ComparedSplit& split : splits) {
    for (const ComparedCell& cell : split.methods) all.push_back(cell.scores);
  }
  return all;
}

std::vector<ComparedSplit> run_comparison(const ComparedData& data, int threads = 1) {
  Context context;
  context.threads = threads;
  return compare({data}, rules_of_test(), {}, {}, context);
}

TEST(Comparison, ACellIsTrainingAndPredictionByHand) {
  const ComparedMethod one{"L1", {{"", options_with("l1", 2.0)}}};
  const ComparedData data = compared({one});
  const std::vector<ComparedSplit> splits = run_comparison(data);
  ASSERT_EQ(splits.size(), data.splits.size());
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Fold& fold = data.splits[s];
    const FoldData part = fold_data(data.data, fold, {});
    const TrainResult trained = train(part.train, one.candidates[0].options, {});
    const auto metrics =
        scores(trained.model, part.test.table, predict(trained.model, part.test, {}));
    const ComparedCell& cell = splits[s].methods[0];
    EXPECT_EQ(cell.scores[0], score_called(metrics, "accuracy"));
    EXPECT_EQ(cell.scores[1], score_called(metrics, "auc"));
    EXPECT_EQ(cell.kernels, 5);
    EXPECT_EQ(cell.fits, 0);
    EXPECT_EQ(splits[s].train, length(fold.train));
    EXPECT_EQ(splits[s].test, length(fold.test));
  }
}

/// By hand: the first candidate with the best mean over the inner folds of the training part.
Index chosen_by_hand(const ComparedData& data, const ComparedMethod& method, const Fold& split) {
  std::vector<Index> classes;
  for (const Index i : split.train) {
    classes.push_back(data.data.table.labels[to_size(i)] == "in" ? 1 : 0);
  }
  Vector sums(method.candidates.size(), 0.0);
  for (const Fold& fold : stratified_folds(classes, {3, 1, true, 7})) {
    Fold whole;
    for (const Index i : fold.train) whole.train.push_back(split.train[to_size(i)]);
    for (const Index i : fold.test) whole.test.push_back(split.train[to_size(i)]);
    const FoldData part = fold_data(data.data, whole, {});
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const TrainResult trained = train(part.train, method.candidates[c].options, {});
      const auto metrics =
          scores(trained.model, part.test.table, predict(trained.model, part.test, {}));
      sums[c] += *score_called(metrics, "accuracy");
    }
  }
  return std::ranges::max_element(sums) - sums.begin();
}

// To a tolerance at which warm starts decide nothing.
TEST(Comparison, OptionsAreChosenInsideTheTrainingPart) {
  ComparedMethod method = method_over_C("L1", "l1");
  for (Candidate& candidate : method.candidates) candidate.options.solver.tolerance = 1e-7;
  const ComparedData data = compared({method});
  const std::vector<ComparedSplit> splits = run_comparison(data);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    EXPECT_EQ(splits[s].methods[0].candidate, chosen_by_hand(data, method, data.splits[s]));
    EXPECT_EQ(splits[s].methods[0].fits, 9);
  }
}

TEST(Comparison, AMethodAgainstItselfHasNoDifference) {
  const ComparedData data =
      compared({method_over_C("one", "lp:p=2"), method_over_C("same", "lp:p=2")});
  const auto summary = summarize({data}, rules_of_test(), run_comparison(data));
  for (const ScoreSummary& score : summary.scores) {
    const MethodDifference& pair = score.differences[0][0];
    EXPECT_EQ(pair.test.mean, 0.0);
    EXPECT_EQ(pair.test.p, 1.0);
    EXPECT_EQ(pair.signs.ties, 4);
    EXPECT_EQ(score.average_ranks, (Vector{1.5, 1.5}));
  }
}

TEST(Comparison, AMethodDoesNotDependOnTheOthers) {
  const auto alone = run_comparison(compared({method_over_C("L1", "l1")}));
  const auto beside =
      run_comparison(compared({method_over_C("average", "average"), method_over_C("L1", "l1")}));
  for (std::size_t s = 0; s < alone.size(); ++s) {
    EXPECT_EQ(alone[s].methods[0].scores, beside[s].methods[1].scores);
    EXPECT_EQ(alone[s].methods[0].candidate, beside[s].methods[1].candidate);
    EXPECT_EQ(alone[s].methods[0].relative_gap, beside[s].methods[1].relative_gap);
    EXPECT_EQ(beside[s].kernel_builds, 4) << "once for each inner fold, once for the final models";
  }
}

TEST(Comparison, ThreadsDoNotChangeIt) {
  const ComparedData data =
      compared({method_over_C("average", "average"), method_over_C("L1", "l1")});
  const auto one = run_comparison(data);
  for (const int threads : {2, 6}) {
    EXPECT_EQ(scores_of(one), scores_of(run_comparison(data, threads))) << threads;
  }
}

TEST(Comparison, GoesOnFromWhatIsFinished) {
  const ComparedData data = compared({method_over_C("L1", "l1")});
  const auto whole = run_comparison(data);
  std::vector<Index> kept;
  const auto rest = compare({data}, rules_of_test(), {whole[2], whole[0]},
                            [&](const ComparedSplit& split) { kept.push_back(split.split); }, {});
  EXPECT_EQ(kept, (std::vector<Index>{1, 3}));
  EXPECT_EQ(scores_of(whole), scores_of(rest));
}

TEST(Comparison, StopsBetweenModels) {
  const ComparedData data = compared({method_over_C("L1", "l1")});
  std::atomic<bool> cancelled = false;
  Context context;
  context.cancelled = &cancelled;
  const auto cancel = [&](const ComparedSplit&) { cancelled = true; };
  const auto splits = compare({data}, rules_of_test(), {}, cancel, context);
  ASSERT_EQ(splits.size(), 1U);
  const auto summary = summarize({data}, rules_of_test(), splits);
  EXPECT_FALSE(summary.complete());
  EXPECT_EQ(summary.finished, (std::vector<Index>{1}));
}

TEST(Comparison, SingleKernelsHaveOneWeightEach) {
  const Dataset data = curved_data();
  const auto single = single_kernel_candidates(data, method_over_C("", "average").candidates);
  ASSERT_EQ(single.size(), 15U);
  EXPECT_EQ(single[1].options.regularizer, "fixed:0,1,0,0,0");
  std::set<std::string> names;
  for (const Candidate& candidate : single) names.insert(candidate.name);
  EXPECT_EQ(names.size(), single.size());
  const auto splits = run_comparison(compared({{"single", single}}));
  for (const ComparedSplit& split : splits) EXPECT_EQ(split.methods[0].kernels_used, 1);
}

TEST(Comparison, NamesWhereItFails) {
  const ComparedData data = compared({{"odd", {{"C=1", options_with("fixed:1,2", 1.0)}}}});
  try {
    (void)run_comparison(data);
    FAIL() << "five kernels and two weights";
  } catch (const ParameterError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("data set 'curved', split 1: method 'odd' (C=1): "), std::string::npos)
        << message;
  }
  const ComparedData right = compared({method_over_C("L1", "l1")});
  EXPECT_THROW((void)compare({}, rules_of_test(), {}, {}, {}), ParameterError);
  EXPECT_THROW((void)compare({right}, {{}, 3, 0}, {}, {}, {}), ParameterError);
  EXPECT_THROW((void)compare({right}, {{"accuracy"}, 1, 0}, {}, {}, {}), ParameterError);
  EXPECT_THROW((void)compare({right}, {{"acuracy"}, 3, 0}, {}, {}, {}), ParameterError);
}

TEST(Comparison, ChecksSplitsAndSamplesFirst) {
  ComparedData beyond = compared({method_over_C("L1", "l1")});
  beyond.splits.front().test.push_back(length(beyond.data.table.labels));
  EXPECT_THROW((void)run_comparison(beyond), ParameterError);
  ComparedData unlabelled = compared({method_over_C("L1", "l1")});
  unlabelled.data.table.labels.pop_back();
  try {
    (void)run_comparison(unlabelled);
    FAIL() << "a sample has no label";
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()).find("data set 'curved': "), 0U) << error.what();
  }
}

/// Splits of which every method has the given accuracy on each of six data sets.
ComparisonSummary summary_of_means(const std::vector<Vector>& means) {
  std::vector<ComparedData> data;
  std::vector<ComparedSplit> splits;
  for (std::size_t d = 0; d < means.size(); ++d) {
    data.push_back({"set " + std::to_string(d), {}, {Fold{{0, 1}, {2}}}, {}});
    ComparedSplit split{static_cast<Index>(d), 0, 2, 1, {}, 0.0, 0};
    for (const double mean : means[d]) {
      data.back().methods.push_back({"m", {{"", {}}}});
      split.methods.emplace_back();
      split.methods.back().scores = {mean};
    }
    splits.push_back(split);
  }
  return summarize(data, {{"accuracy"}, 2, 0}, splits);
}

TEST(ComparisonSummary, RanksAndTestsAreThoseOfStatistics) {
  const std::vector<Vector> means = {{0.9, 0.8, 0.7}, {0.6, 0.7, 0.5}, {0.9, 0.9, 0.1},
                                     {0.8, 0.7, 0.6}, {0.5, 0.4, 0.4}, {0.7, 0.5, 0.6}};
  const ComparisonSummary summary = summary_of_means(means);
  const ScoreSummary& score = summary.scores.front();
  Matrix table(6, 3);
  for (Index i = 0; i < 6; ++i) std::ranges::copy(means[to_size(i)], table.row(i).begin());
  EXPECT_EQ(score.average_ranks, average_ranks(table, true));
  EXPECT_EQ(score.friedman->p, friedman_test(table).p);
  EXPECT_EQ(score.critical_difference, critical_difference(3, 6));
  ASSERT_EQ(score.pairs.size(), 3U);
  EXPECT_EQ(score.pairs[1].signs.wins, 6);
  EXPECT_EQ(score.pairs[1].test.p, 2.0 / 64.0);
  EXPECT_EQ(score.best_on(0), 0);
  EXPECT_EQ(score.best_on(1), 1);
}

TEST(ComparisonSummary, GroupsAreMaximalRuns) {
  using Groups = std::vector<std::vector<Index>>;
  const Vector ranks = {3.0, 1.0, 2.0, 5.0};
  EXPECT_EQ(groups_of_equals(ranks, 1.0), (Groups{{1, 2}, {2, 0}}));
  EXPECT_EQ(groups_of_equals(ranks, 2.0), (Groups{{1, 2, 0}, {0, 3}}));
  EXPECT_EQ(groups_of_equals(ranks, 0.5), Groups{});
  EXPECT_EQ(groups_of_equals(ranks, 9.0), (Groups{{1, 2, 0, 3}}));
}

/// Copies of a sample in both parts of an inner fold would make the narrow kernel look best.
TEST(Comparison, KeepsGroupsInInnerFolds) {
  Dataset data;
  data.table.source = "copies";
  data.table.columns = {"a", "b", "c", "d", "e"};
  data.table.values = Matrix(80, 5);
  std::vector<Index> groups;
  for (int i = 0; i < 80; ++i) {
    const int patient = i % 20;
    groups.push_back(patient);
    for (int j = 0; j < 5; ++j) data.table.values(i, j) = fraction(patient * 5 + j, 2.0);
    data.table.labels.emplace_back(data.table.values(i, 0) > 0.0 ? "in" : "out");
  }
  for (int i = 0; i < 80; ++i) {
    if (i % 20 % 7 == 3) data.table.labels[to_size(i)] = "in";
  }
  data.views = {{"all", data.table.columns}};
  ComparedMethod method{"kernel", {}};
  for (const char* kernel : {"rbf(gamma=100)", "linear"}) {
    Candidate candidate{kernel, options_with("average", 10.0)};
    candidate.options.kernels = {kernel};
    candidate.options.groups = groups;
    method.candidates.push_back(std::move(candidate));
  }
  const auto chosen = [&] {
    const ComparedData one{"copies", data, grouped_folds(groups, 4), {method}};
    std::vector<Index> places;
    for (const ComparedSplit& split : compare({one}, rules_of_test(), {}, nullptr, {})) {
      places.push_back(split.methods.front().candidate);
    }
    return places;
  };
  EXPECT_EQ(chosen(), (std::vector<Index>{1, 1, 1, 1}));
  for (Candidate& candidate : method.candidates) candidate.options.groups.clear();
  EXPECT_EQ(chosen(), (std::vector<Index>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace kernmix::testing
