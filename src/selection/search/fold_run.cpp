// s = score of f on the test part, f trained on the train part: for one candidate after the other.

#include "selection/search/fold_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "model/cross_fitting/cross_fit.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {

FoldRun::FoldRun(const SearchInput& input, const Fold& fold, std::string where,
                 const Context& context)
    : input_(input), fold_(fold), where_(std::move(where)), context_(context) {}

TrainOptions FoldRun::options_of(Index candidate) const {
  return options_on(input_.candidates[to_size(candidate)].options, fold_.train);
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
    training_->recall(options_of(fit->place.candidate), fit->answer);
  }
  skipped_.clear();
}

void FoldRun::skip(const SearchedFit& fit) {
  begin(fit.place.candidate);
  skipped_.push_back(&fit);
}

std::optional<SearchedFit> FoldRun::fit_now(const FitPlace& place) {
  prepare();
  const TrainResult trained = training_->fit_for_score(options_of(place.candidate), context_);
  if (is_unfinished(trained.status)) return std::nullopt;
  const Model& model = trained.model;
  const Prediction prediction = predict(model, part_->test, context_);
  SearchedFit done;
  done.place = place;
  done.score = score_called(scores(model, part_->test.table, prediction), input_.score.name);
  done.converged = trained.status == Status::converged;
  done.kernels_used = kernmix::kernels_used(model);
  done.kernel_seconds = trained.seconds.kernels;
  done.solve_seconds = trained.seconds.solve;
  done.answer = training_->last_answer();
  return done;
}

std::optional<SearchedFit> FoldRun::fit(const FitPlace& place) {
  if (context_.should_stop()) return std::nullopt;
  begin(place.candidate);
  const std::string where =
      fmt::format("{}, {}", where_, input_.candidates[to_size(place.candidate)].name);
  try {
    return errors_at(where, [&] { return fit_now(place); });
  } catch (const ResourceError&) {
    if (!context_.should_stop() || context_.is_abandoned()) throw;
    return std::nullopt;
  }
}

}  // namespace kernmix
