// A candidate c with the scores s_cf on the folds F_c tried so far is hopeless where
// (sum_f s_cf + (K - |F_c|) best) / K is worse than the mean of a candidate with all K scores.

#include "kernmix/selection/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "model/kernel_choice.hpp"
#include "selection/fold_threads.hpp"

namespace kernmix {
namespace {

class SearchRun {
 public:
  SearchRun(const Dataset& data, const std::vector<Candidate>& candidates,
            const std::vector<Fold>& folds, const SearchRules& rules,
            const std::vector<ComparedSplit>& finished,
            const std::function<void(const ComparedSplit&)>& keep, const Context& context)
      : data_(data),
        candidates_(candidates),
        folds_(folds),
        rules_(rules),
        finished_(finished),
        keep_(keep),
        context_(context) {
    result_.cells.resize(candidates.size());
    for (SearchedCell& cell : result_.cells) cell.scores.resize(folds.size());
  }

  Search run();

 private:
  using Cells = std::vector<Index>;

  [[nodiscard]] Cells all() const;
  void run_rounds();
  /// The folds [first, last) for some candidates.
  void round(Index number, Index first, Index last, const Cells& cells);
  [[nodiscard]] std::optional<ComparedSplit> known(Index number, Index fold) const;
  [[nodiscard]] std::optional<ComparedSplit> run_fold(Index fold, const Cells& cells,
                                                      const Context& context) const;
  [[nodiscard]] ComparedCell run_cell(Training& training, Index cell, const FoldData& part,
                                      Index fold, const Context& context) const;
  void take(const ComparedSplit& split);
  [[nodiscard]] std::optional<double> score(Index cell, Index fold) const {
    return result_.cells[to_size(cell)].scores[to_size(fold)];
  }
  [[nodiscard]] Index best_of_first_fold() const;
  /// The candidates that may still win, but for one; the others are abandoned.
  [[nodiscard]] Cells hopeful(Index pilot);
  void conclude();

  const Dataset& data_;
  const std::vector<Candidate>& candidates_;
  const std::vector<Fold>& folds_;
  const SearchRules& rules_;
  const std::vector<ComparedSplit>& finished_;
  const std::function<void(const ComparedSplit&)>& keep_;
  const Context& context_;
  Search result_;
  std::mutex mutex_;
};

SearchRun::Cells SearchRun::all() const {
  Cells cells(candidates_.size());
  std::iota(cells.begin(), cells.end(), Index{0});
  return cells;
}

std::optional<ComparedSplit> SearchRun::known(Index number, Index fold) const {
  for (const ComparedSplit& split : finished_) {
    if (split.data == number && split.split == fold) return split;
  }
  return std::nullopt;
}

ComparedCell SearchRun::run_cell(Training& training, Index cell, const FoldData& part, Index fold,
                                 const Context& context) const {
  const TrainOptions options =
      options_on(candidates_[to_size(cell)].options, folds_[to_size(fold)].train);
  const TrainResult trained = training.fit(options, context);
  const Prediction prediction = predict(trained.model, part.test, context);
  ComparedCell done;
  done.candidate = cell;
  done.scores = {
      score_called(scores(trained.model, part.test.table, prediction), rules_.score.name)};
  done.status = trained.status;
  done.relative_gap = trained.model.certificate.relative_gap();
  done.kernels = length(trained.model.kernels);
  done.kernels_used = std::ranges::count_if(trained.model.kernels,
                                            [](const auto& kernel) { return kernel.weight > 0.0; });
  done.solve_seconds = trained.seconds.solve;
  done.fits = 1;
  done.unconverged = trained.status == Status::converged ? 0 : 1;
  return done;
}

std::optional<ComparedSplit> SearchRun::run_fold(Index fold, const Cells& cells,
                                                 const Context& context) const {
  const FoldData part = fold_data(data_, folds_[to_size(fold)], context);
  Training training(part.train);
  ComparedSplit done;
  done.split = fold;
  done.train = length(folds_[to_size(fold)].train);
  done.test = length(folds_[to_size(fold)].test);
  for (const Index cell : cells) {
    if (context.should_stop()) return std::nullopt;
    const std::string where =
        fmt::format("fold {}, {}: ", fold + 1, candidates_[to_size(cell)].name);
    try {
      done.methods.push_back(run_cell(training, cell, part, fold, context));
    } catch (const ParameterError& error) {
      throw ParameterError(where + error.what());
    } catch (const DataError& error) {
      throw DataError(where + error.what());
    } catch (const ResourceError& error) {
      if (!context.should_stop() || context.is_abandoned()) {
        throw ResourceError(where + error.what());
      }
      return std::nullopt;
    }
  }
  done.kernel_seconds = training.reuse().kernel_seconds;
  done.kernel_builds = training.reuse().kernel_builds;
  return context.should_stop() ? std::nullopt : std::optional(std::move(done));
}

void SearchRun::take(const ComparedSplit& split) {
  for (const ComparedCell& cell : split.methods) {
    SearchedCell& searched = result_.cells.at(to_size(cell.candidate));
    searched.scores.at(to_size(split.split)) = cell.scores.at(0);
    searched.kernels_used += static_cast<double>(cell.kernels_used);
    result_.fits += cell.fits;
    result_.unconverged += cell.unconverged;
    result_.solve_seconds += cell.solve_seconds;
  }
  result_.kernel_builds += split.kernel_builds;
  result_.kernel_seconds += split.kernel_seconds;
  context_.report({"models", result_.fits, length(candidates_) * length(folds_)});
}

void SearchRun::round(Index number, Index first, Index last, const Cells& cells) {
  if (cells.empty() || !result_.complete) return;
  const FoldThreads threads(context_, last - first);
  std::vector<std::optional<ComparedSplit>> done(to_size(last - first));
  parallel_for(threads.outer(), last - first, [&](Index i) {
    std::optional<ComparedSplit>& split = done[to_size(i)];
    split = known(number, first + i);
    const bool is_new = !split;
    if (is_new) split = run_fold(first + i, cells, threads.inner());
    const std::lock_guard lock(mutex_);
    if (!split) return;
    split->data = number;
    take(*split);
    if (is_new && keep_) keep_(*split);
  });
  result_.complete = std::ranges::all_of(done, [](const auto& split) { return split.has_value(); });
}

Index SearchRun::best_of_first_fold() const {
  Index best = 0;
  for (Index c = 1; c < length(candidates_); ++c) {
    if (rules_.score.better(score(c, 0), score(best, 0))) best = c;
  }
  return best;
}

SearchRun::Cells SearchRun::hopeful(Index pilot) {
  constexpr double rounding = 1e-12;
  const auto bound = [&](Index cell) {
    double sum = 0.0;
    for (Index f = 0; f < length(folds_); ++f) sum += score(cell, f).value_or(rules_.score.best);
    return sum;
  };
  const double reached = bound(pilot);
  Cells kept;
  for (const Index cell : all()) {
    if (cell == pilot) continue;
    const double ahead =
        rules_.score.larger_is_better ? bound(cell) - reached : reached - bound(cell);
    SearchedCell& searched = result_.cells[to_size(cell)];
    searched.abandoned = searched.abandoned || ahead < -rounding * std::max(1.0, std::abs(reached));
    if (!searched.abandoned) kept.push_back(cell);
  }
  return kept;
}

void SearchRun::run_rounds() {
  const Index K = length(folds_);
  if (rules_.all || K < 3) return round(0, 0, K, all());
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

void SearchRun::conclude() {
  std::optional<double> best;
  for (Index c = 0; c < length(candidates_); ++c) {
    SearchedCell& cell = result_.cells[to_size(c)];
    Vector known;
    for (const auto& one : cell.scores) {
      if (one) known.push_back(*one);
    }
    if (!known.empty()) cell.kernels_used /= static_cast<double>(known.size());
    if (known.size() < folds_.size()) continue;
    const auto n = static_cast<double>(known.size());
    cell.mean = std::accumulate(known.begin(), known.end(), 0.0) / n;
    double squares = 0.0;
    for (const double one : known) squares += (one - *cell.mean) * (one - *cell.mean);
    if (n > 1) cell.spread = std::sqrt(squares / (n - 1.0));
    if (!rules_.score.better(cell.mean, best)) continue;
    best = cell.mean;
    result_.best = c;
  }
}

Search SearchRun::run() {
  run_rounds();
  conclude();
  return std::move(result_);
}

}  // namespace

Search search(const Dataset& data, const std::vector<Candidate>& candidates,
              const std::vector<Fold>& folds, const SearchRules& rules,
              const std::vector<ComparedSplit>& finished,
              const std::function<void(const ComparedSplit&)>& keep, const Context& context) {
  const SerialBlas serial_blas;
  if (candidates.empty()) throw ParameterError("search: there are no candidates");
  for (const Candidate& candidate : candidates) {
    check_folds(folds, check_samples(data, candidate.options));
  }
  return SearchRun(data, candidates, folds, rules, finished, keep, context).run();
}

}  // namespace kernmix
