/// \file
/// A search finds what cross-validation of every candidate finds, goes on from what is finished to
/// the same bits, and abandons nothing that could win.

#include "kernmix/selection/search.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>

#include "kernmix/error.hpp"
#include "kernmix/selection/cross_validation.hpp"

namespace kernmix::testing {
namespace {

double fraction_of(Index i, double root) {
  const double x = std::sqrt(root) * static_cast<double>(i + 1);
  return 2.0 * (x - std::floor(x)) - 1.0;
}

/// Two columns and a class with every seventh label wrong.
Dataset noisy_data() {
  Dataset data;
  data.table.source = "noisy";
  data.table.columns = {"a", "b"};
  data.table.values = Matrix(60, 2);
  for (Index i = 0; i < 60; ++i) {
    const double a = fraction_of(i, 2.0);
    const double b = fraction_of(i, 3.0);
    data.table.values(i, 0) = a;
    data.table.values(i, 1) = b;
    data.table.labels.emplace_back((b > a * a - 0.3) != (i % 7 == 0) ? "in" : "out");
  }
  data.views = {{"all", {"a", "b"}}};
  return data;
}

std::vector<Candidate> grid_of_C() {
  std::vector<Candidate> candidates;
  for (const double C : {0.001, 0.01, 0.1, 1.0, 10.0, 100.0}) {
    for (const char* regularizer : {"l1", "average"}) {
      Candidate candidate;
      candidate.name = std::string(regularizer) + ", C=" + std::to_string(C);
      candidate.options.C = C;
      candidate.options.regularizer = regularizer;
      candidate.numbers = {{"C", C}};
      candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

const std::vector<Fold>& five_folds() {
  static const std::vector<Fold> folds = plain_folds(60, {.folds = 5, .seed = 1});
  return folds;
}

Search search_with(bool all, const std::vector<ComparedSplit>& finished = {},
                   const std::function<void(const ComparedSplit&)>& keep = nullptr,
                   const Context& context = {}) {
  return search(noisy_data(), grid_of_C(), five_folds(), {score_rule("accuracy"), all}, finished,
                keep, context);
}

void expect_same_search(const Search& left, const Search& right) {
  EXPECT_EQ(left.best, right.best);
  EXPECT_EQ(left.fits, right.fits);
  for (std::size_t c = 0; c < left.cells.size(); ++c) {
    EXPECT_EQ(left.cells[c].scores, right.cells[c].scores) << c;
    EXPECT_EQ(left.cells[c].mean, right.cells[c].mean) << c;
    EXPECT_EQ(left.cells[c].abandoned, right.cells[c].abandoned) << c;
  }
}

TEST(Search, OfAllCellsIsCrossValidationOfEachCandidate) {
  const Search found = search_with(true);
  std::vector<TrainOptions> models;
  for (const Candidate& candidate : grid_of_C()) models.push_back(candidate.options);
  const CrossValidation expected = cross_validate(noisy_data(), models, five_folds(), {});
  std::optional<double> best;
  for (std::size_t c = 0; c < models.size(); ++c) {
    for (std::size_t f = 0; f < 5; ++f) {
      EXPECT_EQ(found.cells[c].scores[f], score_called(expected.models[c][f].metrics, "accuracy"));
    }
    if (score_rule("accuracy").better(found.cells[c].mean, best)) best = found.cells[c].mean;
  }
  ASSERT_TRUE(found.best);
  EXPECT_EQ(found.cells[to_size(*found.best)].mean, best);
  EXPECT_EQ(found.kernel_builds, 5) << "once a fold";
}

TEST(Search, AbandonsOnlyWhatCannotWin) {
  const Search all = search_with(true);
  const Search some = search_with(false);
  EXPECT_EQ(some.best, all.best);
  Index abandoned = 0;
  for (std::size_t c = 0; c < all.cells.size(); ++c) {
    if (!some.cells[c].abandoned) continue;
    ++abandoned;
    EXPECT_LT(*all.cells[c].mean, *all.cells[to_size(*all.best)].mean);
  }
  EXPECT_GT(abandoned, 0) << "C = 0.001 calls all samples alike";
  EXPECT_LT(some.fits, all.fits);
}

TEST(Search, WhereLessIsBetterAbandonsByTheBestPossibleZero) {
  Dataset data = noisy_data();
  data.table.labels.clear();
  for (Index i = 0; i < 60; ++i) {
    data.table.labels.push_back(std::to_string(data.table.values(i, 0)));
  }
  std::vector<Candidate> candidates = grid_of_C();
  for (Candidate& candidate : candidates) candidate.options.loss = "squared";
  const auto run = [&](bool all) {
    return search(data, candidates, five_folds(), {score_rule("rmse"), all}, {}, nullptr, {});
  };
  const Search every = run(true);
  const Search some = run(false);
  EXPECT_EQ(some.best, every.best);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (!some.cells[c].abandoned) continue;
    EXPECT_GT(*every.cells[c].mean, *every.cells[to_size(*every.best)].mean);
  }
}

TEST(Search, GoesOnFromAnyPrefixToTheSameNumbers) {
  std::vector<ComparedSplit> kept;
  const Search whole =
      search_with(false, {}, [&](const ComparedSplit& split) { kept.push_back(split); });
  for (std::size_t count = 0; count <= kept.size(); count += 2) {
    const std::vector<ComparedSplit> prefix(kept.begin(),
                                            kept.begin() + static_cast<std::ptrdiff_t>(count));
    std::size_t fresh = 0;
    const Search resumed = search_with(false, prefix, [&](const ComparedSplit&) { ++fresh; });
    expect_same_search(resumed, whole);
    EXPECT_EQ(fresh, kept.size() - count);
  }
}

TEST(Search, ThreadsDoNotChangeANumber) {
  Context context;
  context.threads = 3;
  expect_same_search(search_with(false, {}, nullptr, context), search_with(false));
}

TEST(Search, ThatIsStoppedSaysSo) {
  std::atomic<bool> stop = false;
  Context context;
  context.cancelled = &stop;
  const Search found = search_with(
      false, {}, [&](const ComparedSplit&) { stop = true; }, context);
  EXPECT_FALSE(found.complete);
  EXPECT_FALSE(found.best) << "no candidate has all five scores";
}

TEST(Search, NamesTheCandidateThatFails) {
  std::vector<Candidate> candidates = grid_of_C();
  candidates[3].options.regularizer = "lp:p=0.5";
  try {
    (void)search(noisy_data(), candidates, five_folds(), {score_rule("accuracy")}, {}, nullptr, {});
    FAIL() << "p < 1 is refused";
  } catch (const ParameterError& error) {
    EXPECT_NE(std::string(error.what()).find(candidates[3].name), std::string::npos);
  }
}

}  // namespace
}  // namespace kernmix::testing
