/// \file
/// tune_train() is a search, the model of its winner and nested cross-validation.

#include <gtest/gtest.h>

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
