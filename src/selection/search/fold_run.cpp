// s = score of f on the test part, f trained on the train part: for one candidate after the other.

#include "selection/search/fold_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "base/samples.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {

FoldRun::FoldRun(const SearchInput& input, const Fold& fold, std::string where,
                 const Context& context)
    : input_(input), fold_(fold), where_(std::move(where)), context_(context) {}

TrainOptions FoldRun::options_of(Index candidate) const {
  const TrainOptions& options = input_.candidates[to_size(candidate)].options;
  return options_of_part(whole_classes(candidate), options, part_->train, fold_.train);
}

WholeClasses FoldRun::whole_classes(Index candidate) const {
  return WholeClasses::of(input_.data, input_.candidates[to_size(candidate)].options);
}

void FoldRun::begin(Index candidate) {
  const Index path = input_.candidates[to_size(candidate)].path;
  if (path_ == path) return;
  path_ = path;
  skipped_.clear();
  if (training_) training_->forget_answers();
}

void FoldRun::prepare() {
  if (!training_) {
    part_ = fold_data(input_.data, fold_, context_);
    training_.emplace(part_->train);
  }
  for (const SearchedFit* fit : skipped_) {
    if (fit->answer.empty()) continue;  // of a part with one class, whose model is no model
    training_->recall(options_of(fit->place.candidate), fit->answer);
  }
  skipped_.clear();
}

void FoldRun::skip(const SearchedFit& fit) {
  begin(fit.place.candidate);
  skipped_.push_back(&fit);
}

std::optional<PartScore> FoldRun::score_now(Index candidate) {
  prepare();
  const auto fit = [&](const TrainOptions& options) {
    return if_finished(training_->fit_for_score(options, context_), context_);
  };
  const auto predict_test = [&](const Model& model) {
    return training_->predict(model, part_->test, context_);
  };
  return score_part(whole_classes(candidate), options_of(candidate), part_->train,
                    test_part(candidate), fit, context_, predict_test);
}

TestPart FoldRun::test_part(Index candidate) const {
  const TrainOptions& options = input_.candidates[to_size(candidate)].options;
  return {part_->test, entries_at(options.sample_weights, fold_.test)};
}

SearchedFit FoldRun::searched(const FitPlace& place, const PartScore& score,
                              const std::vector<Metric>& metrics) const {
  SearchedFit done;
  done.place = place;
  done.score = score_called(metrics, input_.score.name);
  done.converged = true;
  if (!score.trained) return done;
  done.converged = score.trained->status == Status::converged;
  done.kernels_used = kernmix::kernels_used(score.trained->model);
  done.kernel_seconds = score.trained->seconds.kernels;
  done.solve_seconds = score.trained->seconds.solve;
  done.answer = training_->last_answer();
  return done;
}

std::optional<PartScore> FoldRun::score_or_stop(Index candidate) {
  if (context_.should_stop()) return std::nullopt;
  begin(candidate);
  const std::string where =
      fmt::format("{}, {}", where_, input_.candidates[to_size(candidate)].name);
  try {
    return errors_at(where, [&] { return score_now(candidate); });
  } catch (const ResourceError&) {
    if (!context_.should_stop() || context_.is_abandoned()) throw;
    return std::nullopt;
  }
}

std::optional<SearchedFit> FoldRun::fit(const FitPlace& place) {
  const auto score = score_or_stop(place.candidate);
  if (!score) return std::nullopt;
  return searched(place, *score, score->metrics);
}

std::optional<std::vector<SearchedFit>> FoldRun::fit(const std::vector<TestedPart>& parts) {
  const Index candidate = parts.front().place.candidate;
  const auto score = score_or_stop(candidate);
  if (!score) return std::nullopt;
  std::vector<SearchedFit> fits;
  for (const TestedPart& part : parts) {
    const auto metrics =
        metrics_at(whole_classes(candidate), part_->train, test_part(candidate), *score, part.rows);
    fits.push_back(searched(part.place, *score, metrics));
  }
  return fits;
}

}  // namespace kernmix
