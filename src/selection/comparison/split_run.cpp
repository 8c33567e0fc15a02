// For each inner fold, and then for the whole training part: kernels once, then method by method.

#include "selection/comparison/split_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/mean.hpp"

namespace kernmix {
namespace {

/// The classes of all samples as numbers, or nothing if the methods do not learn classes.
std::vector<Index> classes_of_samples(const ComparedData& data) {
  const TrainOptions& options = data.methods.front().candidates.front().options;
  const Table& table = data.data.table;
  const bool classes = loss_target(options.loss) == Target::classes &&
                       table.multi_labels.names.empty() && !table.labels.empty();
  if (!classes) return {};
  return ClassLabels::find(table.labels).encode(table.labels);
}

/// Folds of the training part, with indices into the whole data.
std::vector<Fold> inner_folds(const ComparedData& data, const std::vector<Index>& samples,
                              const ComparisonRules& rules, const Context& context) {
  const FoldOptions options{rules.inner_folds, 1, true, rules.seed};
  const TrainOptions& first = data.methods.front().candidates.front().options;
  return errors_at("inner folds", [&] {
    return deal(samples, {classes_of_samples(data), first.groups, first.sample_weights}, options,
                context);
  });
}

std::vector<Index> order_of(const std::vector<ComparedMethod>& methods) {
  std::vector<TrainOptions> first;
  for (const ComparedMethod& method : methods) first.push_back(method.candidates.front().options);
  return training_order(first);
}

std::string candidate_text(const ComparedMethod& method, const Candidate& candidate) {
  if (candidate.name.empty()) return fmt::format("method '{}'", method.name);
  return fmt::format("method '{}' ({})", method.name, candidate.name);
}

void count_inner(const PartScore& found, ComparedCell& cell) {
  ++cell.fits;
  if (!found.trained) return;
  cell.unconverged += found.trained->status == Status::converged ? 0 : 1;
  cell.choose_seconds += found.trained->seconds.solve;
}

/// Inner folds on which some candidate has a score; others, such as those that test one class, are
/// excluded from all means.
std::vector<std::size_t> scored_folds(
    const std::vector<std::vector<std::optional<double>>>& scores) {
  std::vector<std::size_t> folds;
  for (std::size_t f = 0; f < scores.front().size(); ++f) {
    if (std::ranges::any_of(scores, [f](const auto& own) { return own[f].has_value(); })) {
      folds.push_back(f);
    }
  }
  return folds;
}

/// The first of the best means; candidates without a score on one of these folds are last.
Index best_candidate(const std::vector<std::vector<std::optional<double>>>& scores,
                     const ScoreRule& rule) {
  const std::vector<std::size_t> folds = scored_folds(scores);
  Index best = 0;
  std::optional<double> best_mean;
  for (Index c = 0; c < length(scores); ++c) {
    Vector known;
    for (const std::size_t f : folds) {
      if (const std::optional<double>& score = scores[to_size(c)][f]) known.push_back(*score);
    }
    if (known.size() < folds.size()) continue;
    const std::optional<double> mean = mean_and_spread(known).mean;
    if (!rule.better(mean, best_mean)) continue;
    best = c;
    best_mean = mean;
  }
  return best;
}

}  // namespace

SplitRun::SplitRun(const ComparedData& data, Index split, const ComparisonRules& rules,
                   const Context& context)
    : data_(data),
      split_(data.splits[to_size(split)]),
      rules_(rules),
      context_(context),
      order_(order_of(data.methods)) {
  result_.split = split;
  result_.train = length(split_.train);
  result_.test = length(split_.test);
  result_.methods.resize(data.methods.size());
}

std::optional<ComparedSplit> SplitRun::run() {
  if (!choose() || !finish()) return std::nullopt;
  return std::move(result_);
}

void SplitRun::count(const Reuse& reuse) {
  result_.kernel_seconds += reuse.kernel_seconds;
  result_.kernel_builds += reuse.kernel_builds;
}

bool SplitRun::choose() {
  const auto has_choice = [](const ComparedMethod& m) { return m.candidates.size() > 1; };
  if (std::ranges::none_of(data_.methods, has_choice)) return true;
  InnerScores scores(data_.methods.size());
  for (std::size_t m = 0; m < scores.size(); ++m) {
    scores[m].resize(data_.methods[m].candidates.size());
  }
  for (const Fold& fold : inner_folds(data_, split_.train, rules_, context_)) {
    if (!choose_on(fold, scores)) return false;
  }
  const ScoreRule rule = score_rule(rules_.scores.front());
  for (std::size_t m = 0; m < scores.size(); ++m) {
    result_.methods[m].candidate = best_candidate(scores[m], rule);
  }
  return true;
}

bool SplitRun::choose_on(const Fold& inner, InnerScores& scores) {
  PartFits fits(data_.data, inner, "", context_);
  for (const Index place : order_) {
    const std::size_t m = to_size(place);
    const ComparedMethod& method = data_.methods[m];
    if (method.candidates.size() < 2) continue;
    fits.forget();  // so that results of a method do not depend on the other methods
    for (std::size_t c = 0; c < method.candidates.size(); ++c) {
      const Candidate& candidate = method.candidates[c];
      const auto found =
          score_part(fits, candidate.options, candidate_text(method, candidate), Purpose::score);
      if (!found) return false;
      scores[m][c].push_back(score_called(found->metrics, rules_.scores.front()));
      count_inner(*found, result_.methods[m]);
    }
  }
  count(fits.reuse());
  return true;
}

bool SplitRun::finish() {
  PartFits fits(data_.data, split_, "", context_);
  for (const Index place : order_) {
    const std::size_t m = to_size(place);
    const ComparedMethod& method = data_.methods[m];
    const Candidate& chosen = method.candidates[to_size(result_.methods[m].candidate)];
    fits.forget();
    const auto found =
        score_part(fits, chosen.options, candidate_text(method, chosen), Purpose::answer);
    if (!found) return false;
    finish_method(m, *found);
  }
  count(fits.reuse());
  return true;
}

void SplitRun::finish_method(std::size_t method, const PartScore& found) {
  ComparedCell& cell = result_.methods[method];
  for (const std::string& name : rules_.scores) {
    cell.scores.push_back(score_called(found.metrics, name));
  }
  cell.status = Status::converged;
  cell.relative_gap = 0.0;
  if (!found.trained) return;
  const Model& model = found.trained->model;
  cell.status = found.trained->status;
  cell.relative_gap = model.certificate.relative_gap();
  cell.kernels = length(model.kernels);
  cell.kernels_used = kernmix::kernels_used(model);
  cell.solve_seconds = found.trained->seconds.solve;
}

}  // namespace kernmix
