/// \file
/// A search finds what cross-validation of every candidate finds, goes on from what is finished to
/// the same bits, and abandons nothing that could win.

#include "kernmix/selection/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <string>

#include "kernmix/error.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/mean.hpp"
#include "selection/search/choice.hpp"

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

/// A path along C for each regularizer.
std::vector<Candidate> grid_of_C(const std::vector<std::string>& regularizers = {"l1", "average"}) {
  std::vector<Candidate> candidates;
  for (Index path = 0; path < length(regularizers); ++path) {
    for (const double C : {0.001, 0.01, 0.1, 1.0, 10.0, 100.0}) {
      Candidate candidate;
      candidate.options.normalization = parse_normalization("trace");
      candidate.options.C = C;
      candidate.options.regularizer = regularizers[to_size(path)];
      candidate.name = regularizers[to_size(path)] + ", C=" + std::to_string(C);
      candidate.numbers = {{"C", C}};
      candidate.path = path;
      candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

const std::vector<Fold>& five_folds() {
  static const std::vector<Fold> folds = plain_folds(60, {.folds = 5, .seed = 1});
  return folds;
}

Search search_by(const SearchRules& rules, const std::vector<SearchedFit>& finished = {},
                 const KeepFit& keep = nullptr, const Context& context = {}) {
  return search(noisy_data(), grid_of_C(), five_folds(), rules, finished, keep, context);
}

Search search_with(bool all, const std::vector<SearchedFit>& finished = {},
                   const KeepFit& keep = nullptr, const Context& context = {}) {
  return search_by({.score = score_rule("accuracy"), .all = all}, finished, keep, context);
}

void expect_same_search(const Search& left, const Search& right) {
  EXPECT_EQ(left.best, right.best);
  EXPECT_EQ(left.chosen, right.chosen);
  EXPECT_EQ(left.fits, right.fits);
  EXPECT_EQ(left.unconverged, right.unconverged);
  EXPECT_EQ(left.kernel_builds, right.kernel_builds);
  for (std::size_t c = 0; c < left.cells.size(); ++c) {
    EXPECT_EQ(left.cells[c].scores, right.cells[c].scores) << c;
    EXPECT_EQ(left.cells[c].mean, right.cells[c].mean) << c;
    EXPECT_EQ(left.cells[c].abandoned, right.cells[c].abandoned) << c;
    EXPECT_EQ(left.cells[c].kernels_used, right.cells[c].kernels_used) << c;
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

/// Scores are coarse: what later models begin with must be the same to the last bit.
void expect_same_fits(const std::vector<SearchedFit>& left, const std::vector<SearchedFit>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    EXPECT_EQ(left[k].place, right[k].place) << k;
    EXPECT_EQ(left[k].score, right[k].score) << k;
    ASSERT_EQ(left[k].answer.size(), right[k].answer.size()) << k;
    for (std::size_t part = 0; part < left[k].answer.size(); ++part) {
      EXPECT_EQ(left[k].answer[part].norms, right[k].answer[part].norms) << k;
      EXPECT_EQ(left[k].answer[part].a, right[k].answer[part].a) << k;
      EXPECT_EQ(left[k].answer[part].double_precision, right[k].answer[part].double_precision) << k;
    }
  }
}

TEST(Search, GoesOnFromAnyModelToTheSameNumbers) {
  std::vector<SearchedFit> kept;
  const Search whole = search_with(false, {}, [&](const SearchedFit& fit) { kept.push_back(fit); });
  for (std::size_t count = 0; count <= kept.size(); count += 3) {
    std::vector<SearchedFit> fits(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<SearchedFit> prefix = fits;
    const Search resumed =
        search_with(false, prefix, [&](const SearchedFit& fit) { fits.push_back(fit); });
    expect_same_search(resumed, whole);
    expect_same_fits(fits, kept);
  }
}

/// Single precision does for C = 10, but not for C = 100, whose precision the models after it keep.
TEST(Search, GoesOnInThePrecisionOfTheModelBefore) {
  std::vector<Candidate> candidates = grid_of_C();
  candidates.resize(6);  // one path
  std::ranges::reverse(candidates);
  for (Candidate& candidate : candidates) candidate.options.solver.tolerance = 1e-6;
  const auto run = [](const std::vector<Candidate>& path, const std::vector<SearchedFit>& finished,
                      std::vector<SearchedFit>& fits) {
    return search(noisy_data(), path, five_folds(), {.score = score_rule("accuracy"), .all = true},
                  finished, [&](const SearchedFit& fit) { fits.push_back(fit); }, {});
  };
  std::vector<SearchedFit> kept;
  std::vector<SearchedFit> alone;
  const Search whole = run(candidates, {}, kept);
  static_cast<void>(run({candidates[1]}, {}, alone));
  ASSERT_TRUE(kept[1].answer[0].double_precision);
  ASSERT_FALSE(alone[0].answer[0].double_precision);
  for (const std::size_t count : {1U, 2U, 5U, 9U}) {
    std::vector<SearchedFit> fits(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<SearchedFit> prefix = fits;
    expect_same_search(run(candidates, prefix, fits), whole);
    expect_same_fits(fits, kept);
  }
}

TEST(Search, InPartsIsOneSearch) {
  const std::vector<Candidate> candidates = grid_of_C({"lp:p=1.2", "lp:p=3"});
  const auto run = [&](const SearchRules& rules, const std::vector<SearchedFit>& finished,
                       std::vector<SearchedFit>& fits) {
    return search(noisy_data(), candidates, five_folds(), rules, finished,
                  [&](const SearchedFit& fit) { fits.push_back(fit); }, {});
  };
  SearchRules rules{.score = score_rule("accuracy"), .all = true};
  std::vector<SearchedFit> kept;
  const Search whole = run(rules, {}, kept);
  const std::vector<SearchUnit> units = search_units(candidates, 5, {});
  ASSERT_EQ(units.size(), 10U) << "two paths on five folds";
  std::vector<SearchedFit> gathered;
  for (std::size_t k = units.size(); k-- > 0;) {
    rules.only = {units[k]};
    const std::size_t before = gathered.size();
    EXPECT_TRUE(run(rules, {}, gathered).complete);
    EXPECT_EQ(gathered.size() - before, places_of(units[k], candidates).size());
  }
  rules.only.reset();
  std::vector<SearchedFit> fresh;
  expect_same_search(run(rules, gathered, fresh), whole);
  EXPECT_TRUE(fresh.empty());
  std::ranges::sort(gathered, {}, &SearchedFit::place);
  std::ranges::sort(kept, {}, &SearchedFit::place);
  expect_same_fits(gathered, kept);
}

TEST(Search, ChoosesTheSimplestWithinOneStandardError) {
  const SearchRules rules{.score = score_rule("accuracy"), .choice = Choice::one_se};
  const Search found = search_by(rules);
  const std::vector<Candidate> candidates = grid_of_C();
  ASSERT_TRUE(found.best && found.chosen);
  const SearchedCell& best = found.cells[to_size(*found.best)];
  EXPECT_EQ(*best.standard_error(), *best.spread / std::sqrt(5.0));
  const double least = *best.mean - *best.standard_error();
  EXPECT_GE(*found.cells[to_size(*found.chosen)].mean, least);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    EXPECT_FALSE(found.cells[c].abandoned) << "what is simpler may not be abandoned for its mean";
    if (*found.cells[c].mean < least) continue;
    const double C = cost_of(candidates[to_size(*found.chosen)].options);
    EXPECT_LE(C, cost_of(candidates[c].options));
    if (C == cost_of(candidates[c].options)) {
      EXPECT_LE(found.cells[to_size(*found.chosen)].kernels_used, found.cells[c].kernels_used);
    }
  }
  EXPECT_THROW(static_cast<void>(parse_choice("simplest")), ParameterError);
}

std::vector<NestedFold> three_outer_folds() {
  std::vector<NestedFold> nested;
  for (const Fold& outer : plain_folds(60, {.folds = 3, .seed = 2})) {
    NestedFold fold{outer, plain_folds(40, {.folds = 4, .seed = 3})};
    for (Fold& inner : fold.inner) {
      for (auto* part : {&inner.train, &inner.test}) {
        for (Index& i : *part) i = outer.train[to_size(i)];
      }
    }
    nested.push_back(std::move(fold));
  }
  return nested;
}

NestedSearch nested_with(const std::vector<SearchedFit>& finished, const KeepFit& keep,
                         int threads = 1) {
  Context context;
  context.threads = threads;
  return nested_search(noisy_data(), grid_of_C(), three_outer_folds(),
                       {.score = score_rule("accuracy")}, finished, keep, context);
}

void expect_same_nested(const NestedSearch& left, const NestedSearch& right) {
  ASSERT_EQ(left.folds.size(), right.folds.size());
  for (std::size_t k = 0; k < left.folds.size(); ++k) {
    EXPECT_EQ(left.folds[k].candidate, right.folds[k].candidate) << k;
    EXPECT_EQ(left.folds[k].score, right.folds[k].score) << k;
  }
}

TEST(NestedSearch, ScoresOutsideWhatASearchInsideChooses) {
  const NestedSearch found = nested_with({}, nullptr);
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(found.folds.size(), 3U);
  const std::vector<NestedFold> folds = three_outer_folds();
  for (std::size_t k = 0; k < 3; ++k) {
    const Search inside = search(noisy_data(), grid_of_C(), folds[k].inner,
                                 {.score = score_rule("accuracy")}, {}, nullptr, {});
    EXPECT_EQ(found.folds[k].candidate, inside.chosen);
    const TrainOptions options = grid_of_C()[to_size(*inside.chosen)].options;
    const CrossValidation outside = cross_validate(noisy_data(), {options}, {folds[k].outer}, {});
    EXPECT_EQ(found.folds[k].score, score_called(outside.models[0][0].metrics, "accuracy"));
  }
  expect_same_nested(nested_with({}, nullptr, 3), found);
}

TEST(NestedSearch, GoesOnFromAnyModel) {
  std::vector<SearchedFit> kept;
  const NestedSearch whole = nested_with({}, [&](const SearchedFit& fit) { kept.push_back(fit); });
  for (std::size_t count = 1; count <= kept.size(); count += 17) {
    std::vector<SearchedFit> fits(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<SearchedFit> prefix = fits;
    expect_same_nested(nested_with(prefix, [&](const SearchedFit& fit) { fits.push_back(fit); }),
                       whole);
    expect_same_fits(fits, kept);
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
      false, {}, [&](const SearchedFit&) { stop = true; }, context);
  EXPECT_FALSE(found.complete);
  EXPECT_FALSE(found.best) << "no candidate has all five scores";
}

TEST(Search, NamesTheCandidateThatFails) {
  std::vector<Candidate> candidates = grid_of_C();
  candidates[3].options.C = -1.0;
  try {
    (void)search(noisy_data(), candidates, five_folds(), {score_rule("accuracy")}, {}, nullptr, {});
    FAIL() << "C < 0 is refused";
  } catch (const ParameterError& error) {
    EXPECT_NE(std::string(error.what()).find(candidates[3].name), std::string::npos);
  }
}

/// Scores of folds of 20 samples, compared as whole numbers.
TEST(Search, OfEqualMeansTheFirstIsBest) {
  std::uint32_t state = 7;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % below;
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<SearchedCell> cells(5);
    Index expected = 0;
    std::vector<std::uint32_t> sums(cells.size(), 0);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      Vector scores;
      for (int f = 0; f < 5; ++f) {
        const std::uint32_t k = 14 + next(4);
        sums[c] += k;
        scores.push_back(k / 20.0);
      }
      cells[c].mean = mean_and_spread(scores).mean;
      if (sums[c] > sums[to_size(expected)]) expected = static_cast<Index>(c);
    }
    EXPECT_EQ(best_cell(cells, score_rule("accuracy")), expected);
  }
}

/// Whatever the deadline is, what is kept is what a run without one finds: a run that goes on from
/// it gives the same bits.
TEST(Search, KeepsNoModelThatTimeCutShort) {
  std::map<FitPlace, SearchedFit> whole;
  (void)search_with(true, {}, [&](const SearchedFit& fit) { whole[fit.place] = fit; });
  for (int step = 1; step <= 40; ++step) {
    std::vector<SearchedFit> kept;
    std::vector<SearchedFit> expected;
    Context context;
    context.deadline =
        std::chrono::steady_clock::now() + std::chrono::microseconds(step * step * 20);
    (void)search_with(
        true, {},
        [&](const SearchedFit& fit) {
          kept.push_back(fit);
          expected.push_back(whole.at(fit.place));
        },
        context);
    expect_same_fits(kept, expected);
  }
}

}  // namespace
}  // namespace kernmix::testing
