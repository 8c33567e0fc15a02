/// \file
/// tune_train() is a search, the model of its winner and nested cross-validation.

#include <gtest/gtest.h>

#include <atomic>

#include "kernmix/error.hpp"
#include "kernmix/study.hpp"
#include "selection/planted_data.hpp"

namespace kernmix {
namespace {

std::vector<Candidate> costs() {
  std::vector<Candidate> candidates;
  for (const double C : {0.1, 1.0, 10.0}) {
    Candidate candidate{fmt::format("C={}", C), linear_options(), {{"C", C}}, 0};
    candidate.options.C = C;
    candidates.push_back(candidate);
  }
  return candidates;
}

TEST(TuneTrain, TrainsTheWinnerOfTheSearchAndSaysWhatToExpect) {
  const Dataset data = planted_data(60, 3, 1, 1.5, 2);
  TuneOptions options;
  options.candidates = costs();
  options.nested = 3;
  const TuneResult found = tune_train(data, options, {});
  SearchRules rules;
  rules.score = score_rule("accuracy");
  const Search by_hand =
      search(data, options.candidates, found.folds.folds, rules, {}, nullptr, {});
  ASSERT_EQ(found.search.chosen, by_hand.chosen);
  const TrainResult winner = train(data, options.candidates[to_size(*by_hand.chosen)].options, {});
  EXPECT_EQ(kernel_weights(found.trained.model), kernel_weights(winner.model));
  EXPECT_EQ(found.nested.folds.size(), 3U);
  ASSERT_TRUE(found.expected);
  EXPECT_EQ(found.expected->samples, 60);
  EXPECT_TRUE(found.complete());
}

TEST(TuneTrain, WithoutNestedFoldsThereIsNoEstimate) {
  TuneOptions options;
  options.candidates = costs();
  const TuneResult found = tune_train(planted_data(60, 3, 1, 1.5, 2), options, {});
  EXPECT_FALSE(found.expected);
  EXPECT_TRUE(found.nested_folds.empty());
  EXPECT_TRUE(found.complete());
}

/// The deadline passes once the model is there: it stays, and what is missing is said.
TEST(TuneTrain, KeepsTheModelWhereTimeEndsInTheNestedSearch) {
  const Dataset data = planted_data(60, 3, 1, 1.5, 2);
  TuneOptions options;
  options.candidates = costs();
  options.nested = 3;
  const TunePlan plan = plan_tune(data, options, {});
  std::size_t done = 0;
  std::atomic<bool> stopped = false;
  Context context;
  context.cancelled = &stopped;
  const TuneJournal journal{{},
                            [&](const SearchedFit& fit) {
                              ++done;
                              stopped = fit.place.outer >= 0;  // the nested search has begun
                            },
                            ""};
  const TuneResult found = tune_train(data, options.candidates, plan, journal, context);
  EXPECT_GT(done, 0U);
  EXPECT_EQ(found.trained.status, Status::converged);
  EXPECT_FALSE(found.expected);
  EXPECT_FALSE(found.complete());
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_NE(found.remarks.back().find("0 of 3 outer folds"), std::string::npos);
}

/// A run that goes on from the models of another has its numbers.
TEST(TuneTrain, GoesOnFromAJournal) {
  const Dataset data = planted_data(60, 3, 1, 1.5, 2);
  TuneOptions options;
  options.candidates = costs();
  options.nested = 3;
  const TunePlan plan = plan_tune(data, options, {});
  TuneJournal first;
  first.keep = [&](const SearchedFit& fit) { first.finished.push_back(fit); };
  const TuneResult whole = tune_train(data, options.candidates, plan, first, {});
  std::size_t trained = 0;
  const TuneJournal second{first.finished, [&](const SearchedFit&) { ++trained; }, ""};
  const TuneResult again = tune_train(data, options.candidates, plan, second, {});
  EXPECT_EQ(trained, 0U);
  EXPECT_EQ(again.search.chosen, whole.search.chosen);
  EXPECT_EQ(kernel_weights(again.trained.model), kernel_weights(whole.trained.model));
  ASSERT_TRUE(again.expected && whole.expected);
  EXPECT_EQ(again.expected->find("accuracy")->value, whole.expected->find("accuracy")->value);
}

TEST(TuneTrain, RefusesAnEmptyGrid) {
  EXPECT_THROW((void)tune_train(planted_data(60, 3, 1, 1.5, 2), {}, {}), ParameterError);
}

TEST(Baselines, AreTheAverageAndEachKernelAlone) {
  const Dataset data = planted_data(60, 3, 1, 1.5, 2);
  const std::vector<ComparedMethod> methods = baselines(data, costs());
  ASSERT_EQ(methods.size(), 2U);
  EXPECT_EQ(methods[0].name, "average kernel");
  EXPECT_EQ(methods[0].candidates.size(), 3U);
  EXPECT_EQ(methods[1].name, "best single kernel");
  EXPECT_EQ(methods[1].candidates.size(), 9U);
  for (const Candidate& candidate : methods[0].candidates) {
    const Vector weights = kernel_weights(train(data, candidate.options, {}).model);
    for (const double weight : weights) EXPECT_EQ(weight, weights.front());
  }
  for (const Candidate& candidate : methods[1].candidates) {
    EXPECT_EQ(kernels_used(train(data, candidate.options, {}).model), 1);
  }
}

}  // namespace
}  // namespace kernmix
