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
#include "model/cross_fitting/cross_fit.hpp"
#include "model/kept_kernels.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {
namespace {

/// The classes of some samples as numbers, or nothing where the methods learn no classes.
std::vector<Index> classes_of_samples(const ComparedData& data, const std::vector<Index>& samples) {
  const TrainOptions& options = data.methods.front().candidates.front().options;
  const Table& table = data.data.table;
  const bool classes = loss_target(parse_loss(options.loss)) == Target::classes &&
                       table.multi_labels.names.empty() && !table.labels.empty();
  if (!classes) return {};
  return entries_at(ClassLabels::find(table.labels).encode(table.labels), samples);
}

/// Folds of the training part, as samples of the whole data.
std::vector<Fold> inner_folds(const ComparedData& data, const std::vector<Index>& samples,
                              const ComparisonRules& rules) {
  const FoldOptions options{rules.inner_folds, 1, true, rules.seed};
  const std::vector<Index> classes = classes_of_samples(data, samples);
  std::vector<Fold> folds =
      classes.empty() ? plain_folds(length(samples), options) : stratified_folds(classes, options);
  for (Fold& fold : folds) {
    fold = {entries_at(samples, fold.train), entries_at(samples, fold.test)};
  }
  return folds;
}

bool same_kernels(const TrainOptions& a, const TrainOptions& b) {
  return kernel_options(a, parse_loss(a.loss)) == kernel_options(b, parse_loss(b.loss));
}

std::vector<std::size_t> by_kernels(const std::vector<ComparedMethod>& methods) {
  std::vector<std::size_t> order;
  std::vector<bool> placed(methods.size(), false);
  for (std::size_t first = 0; first < methods.size(); ++first) {
    for (std::size_t m = first; m < methods.size(); ++m) {
      if (placed[m] || !same_kernels(methods[first].candidates.front().options,
                                     methods[m].candidates.front().options)) {
        continue;
      }
      placed[m] = true;
      order.push_back(m);
    }
  }
  return order;
}

std::string candidate_text(const ComparedMethod& method, const Candidate& candidate) {
  if (candidate.name.empty()) return fmt::format("method '{}'", method.name);
  return fmt::format("method '{}' ({})", method.name, candidate.name);
}

void count_inner(const TrainResult& trained, ComparedCell& cell) {
  ++cell.fits;
  cell.unconverged += trained.status == Status::converged ? 0 : 1;
  cell.choose_seconds += trained.seconds.solve;
}

/// The first of the best means; candidates without a score on some fold come last.
Index best_candidate(const std::vector<std::vector<std::optional<double>>>& scores,
                     const ScoreRule& rule) {
  Index best = 0;
  std::optional<double> best_mean;
  for (Index c = 0; c < length(scores); ++c) {
    const auto& folds = scores[to_size(c)];
    Vector known;
    for (const auto& score : folds) {
      if (score) known.push_back(*score);
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
      order_(by_kernels(data.methods)) {
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
  for (const Fold& fold : inner_folds(data_, split_.train, rules_)) {
    if (!choose_on(fold, scores)) return false;
  }
  const ScoreRule rule = score_rule(rules_.scores.front());
  for (std::size_t m = 0; m < scores.size(); ++m) {
    result_.methods[m].candidate = best_candidate(scores[m], rule);
  }
  return true;
}

bool SplitRun::choose_on(const Fold& inner, InnerScores& scores) {
  const FoldData part = fold_data(data_.data, inner, context_);
  Training training(part.train);
  for (const std::size_t m : order_) {
    const ComparedMethod& method = data_.methods[m];
    if (method.candidates.size() < 2) continue;
    training.forget_answers();  // no method depends on which others there are
    for (std::size_t c = 0; c < method.candidates.size(); ++c) {
      if (context_.should_stop()) return false;
      const Candidate& candidate = method.candidates[c];
      try {
        const bool finished = errors_at(candidate_text(method, candidate), [&] {
          const TrainResult trained =
              training.fit_for_score(options_on(candidate.options, inner.train), context_);
          if (is_unfinished(trained.status)) return false;
          const Prediction prediction = predict(trained.model, part.test, context_);
          scores[m][c].push_back(score_called(
              kernmix::scores(trained.model, part.test.table, prediction), rules_.scores.front()));
          count_inner(trained, result_.methods[m]);
          return true;
        });
        if (!finished) return false;
      } catch (const Error&) {
        if (context_.should_stop()) return false;
        throw;
      }
    }
  }
  count(training.reuse());
  return true;
}

bool SplitRun::finish() {
  const FoldData part = fold_data(data_.data, split_, context_);
  Training training(part.train);
  for (const std::size_t m : order_) {
    if (context_.should_stop()) return false;
    const ComparedMethod& method = data_.methods[m];
    const Candidate& chosen = method.candidates[to_size(result_.methods[m].candidate)];
    training.forget_answers();
    try {
      const bool finished = errors_at(candidate_text(method, chosen), [&] {
        const TrainResult trained =
            training.fit(options_on(chosen.options, split_.train), context_);
        if (is_unfinished(trained.status)) return false;
        finish_method(m, trained, part.test);
        return true;
      });
      if (!finished) return false;
    } catch (const Error&) {
      if (context_.should_stop()) return false;
      throw;
    }
  }
  count(training.reuse());
  return true;
}

void SplitRun::finish_method(std::size_t method, const TrainResult& trained, const Dataset& test) {
  const Model& model = trained.model;
  ComparedCell& cell = result_.methods[method];
  const std::vector<Metric> metrics =
      kernmix::scores(model, test.table, predict(model, test, context_));
  for (const std::string& name : rules_.scores) cell.scores.push_back(score_called(metrics, name));
  cell.status = trained.status;
  cell.relative_gap = model.certificate.relative_gap();
  cell.kernels = length(model.kernels);
  cell.kernels_used = kernmix::kernels_used(model);
  cell.solve_seconds = trained.seconds.solve;
}

}  // namespace kernmix
