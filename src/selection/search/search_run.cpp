// A candidate c with the scores s_cf on the folds F_c tried so far is hopeless if (sum_f s_cf + (K
// - |F_c|) best) / K is worse than the mean of a candidate with all K scores.

#include "selection/search/search_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "kernmix/selection/mean.hpp"
#include "kernmix/settings.hpp"
#include "model/fits/side_by_side.hpp"
#include "selection/search/choice.hpp"

namespace kernmix {

SearchRun::SearchRun(const SearchInput& input, const std::vector<Fold>& folds,
                     const SearchRules& rules, Index outer, const FinishedFits& finished,
                     const KeepFit& keep, const Context& context)
    : input_(input),
      folds_(folds),
      rules_(rules),
      outer_(outer),
      finished_(finished),
      keep_(keep),
      context_(context) {
  result_.cells.resize(input.candidates.size());
  for (SearchedCell& cell : result_.cells) cell.scores.resize(folds.size());
}

SearchRun::Cells SearchRun::all() const { return index_range(0, length(input_.candidates)); }

SearchRun::Cells SearchRun::asked(Index fold, const Cells& cells) const {
  if (!rules_.only) return cells;
  Cells some;
  for (const Index cell : cells) {
    const SearchUnit unit{outer_, fold, input_.candidates[to_size(cell)].path};
    if (std::ranges::find(*rules_.only, unit) != rules_.only->end()) some.push_back(cell);
  }
  return some;
}

bool SearchRun::are_on_other_kernels(Index left, Index right) const {
  const auto options = [&](Index cell) -> const TrainOptions& {
    return input_.candidates[to_size(cell)].options;
  };
  return !share_kernels(options(left), options(right));
}

std::string SearchRun::place_text(Index fold) const {
  const std::string own = fmt::format("fold {}", fold + 1);
  return outer_ < 0 ? own : fmt::format("outer fold {}, {}", outer_ + 1, own);
}

bool SearchRun::run_fold(Index number, Index fold, const Cells& cells, const Context& context) {
  FoldRun run(input_, folds_[to_size(fold)], place_text(fold), context);
  std::optional<Index> before;
  for (const Index cell : asked(fold, cells)) {
    const FitPlace place{outer_, number, fold, cell};
    const bool other_kernels = !before || are_on_other_kernels(*before, cell);
    before = cell;
    if (const SearchedFit* const known = finished_.find(place)) {
      run.skip(*known);
      take(*known, false, other_kernels);
      continue;
    }
    const std::optional<SearchedFit> fit = run.fit(place);
    if (!fit) return false;
    take(*fit, true, other_kernels);
  }
  return true;
}

void SearchRun::take(const SearchedFit& fit, bool is_new, bool other_kernels) {
  const std::lock_guard lock(mutex_);
  SearchedCell& searched = result_.cells[to_size(fit.place.candidate)];
  searched.scores[to_size(fit.place.fold)] = fit.score;
  searched.kernels_used += static_cast<double>(fit.kernels_used);
  ++result_.fits;
  result_.unconverged += fit.converged ? 0 : 1;
  result_.kernel_builds += other_kernels ? 1 : 0;
  result_.kernel_seconds += fit.kernel_seconds;
  result_.solve_seconds += fit.solve_seconds;
  if (is_new && keep_) keep_(fit);
  context_.report({"models", result_.fits, length(input_.candidates) * length(folds_)});
}

void SearchRun::round(Index number, Index first, Index last, const Cells& cells) {
  if (cells.empty() || !result_.complete) return;
  result_.complete = for_each_part(
      context_, {.count = last - first},
      [&](Index i, const Context& context) { return run_fold(number, first + i, cells, context); });
}

Index SearchRun::best_of_first_fold() const {
  Index best = 0;
  for (Index c = 1; c < length(input_.candidates); ++c) {
    if (rules_.score.better(score(c, 0), score(best, 0))) best = c;
  }
  return best;
}

SearchRun::Cells SearchRun::hopeful(Index pilot) {
  const auto bound = [&](Index cell) {
    Vector values;
    for (Index f = 0; f < length(folds_); ++f) {
      values.push_back(score(cell, f).value_or(rules_.score.best));
    }
    return mean_and_spread(values).mean;
  };
  const std::optional<double> reached = bound(pilot);
  Cells kept;
  for (const Index cell : all()) {
    if (cell == pilot) continue;
    SearchedCell& searched = result_.cells[to_size(cell)];
    searched.abandoned = searched.abandoned || rules_.score.better(reached, bound(cell));
    if (!searched.abandoned) kept.push_back(cell);
  }
  return kept;
}

void SearchRun::run_rounds() {
  const Index K = length(folds_);
  if (rules_.tries_all() || K < 3) return round(0, 0, K, all());
  round(0, 0, 1, all());
  if (!result_.complete) return;
  const Index pilot = best_of_first_fold();
  round(1, 1, K, {pilot});
  if (!result_.complete) return;
  const bool known_mean = std::ranges::all_of(result_.cells[to_size(pilot)].scores,
                                              [](const auto& one) { return one.has_value(); });
  const auto others = [&] {
    Cells cells = all();
    if (known_mean) return hopeful(pilot);
    std::erase(cells, pilot);
    return cells;
  };
  const Index half = 1 + K / 2;
  round(2, 1, half, others());
  if (!result_.complete) return;
  round(3, half, K, others());
}

/// Folds on which some candidate has a score. Others, such as those that test one class, are
/// excluded from all means, unless they are only unfinished.
Index SearchRun::scored_folds() const {
  if (!result_.complete || rules_.only) return length(folds_);
  Index scored = 0;
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    const auto has_score = [f](const SearchedCell& cell) { return cell.scores[f].has_value(); };
    scored += std::ranges::any_of(result_.cells, has_score) ? 1 : 0;
  }
  return scored;
}

void SearchRun::conclude() {
  const Index scored = scored_folds();
  for (SearchedCell& cell : result_.cells) {
    Vector known;
    for (const auto& one : cell.scores) {
      if (one) known.push_back(*one);
    }
    if (!known.empty()) cell.kernels_used /= static_cast<double>(known.size());
    if (known.empty() || length(known) < scored) continue;
    const MeanAndSpread found = mean_and_spread(known);
    cell.mean = found.mean;
    cell.spread = found.spread;
  }
  result_.best = best_cell(result_.cells, rules_.score);
  result_.chosen = rules_.choice == Choice::best
                       ? result_.best
                       : simplest_cell(result_.cells, input_.candidates, rules_.score);
}

Search SearchRun::run() {
  run_rounds();
  conclude();
  return std::move(result_);
}

}  // namespace kernmix
