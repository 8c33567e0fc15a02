// s = score of f on the test part, f trained on the train part: for one model after the other.

#include "selection/part_fits.hpp"

#include <algorithm>

#include "base/errors_at.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "selection/fold_threads.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {
namespace {

std::string place_text(const std::string& where, const std::string& name) {
  return where + (where.empty() || name.empty() ? "" : ", ") + name;
}

}  // namespace

void PartFits::forget() {
  recalled_.clear();
  if (training_) training_->forget_answers();
}

void PartFits::recall(const TrainOptions& options, const std::vector<StartingPoint>& answer) {
  if (answer.empty()) return;  // of a part with one class, which has no model
  recalled_.push_back({&options, &answer});
}

TrainOptions PartFits::own_options(const WholeClasses& whole, const TrainOptions& options) const {
  return options_of_part(whole, options, samples_->train, part_.train);
}

TestPart PartFits::test_part(const TrainOptions& options) const {
  return {samples_->test, entries_at(options.sample_weights, part_.test)};
}

void PartFits::prepare() {
  if (!training_) {
    samples_ = fold_data(data_, part_, context_);
    training_.emplace(samples_->train);
  }
  for (const auto& [options, answer] : recalled_) {
    training_->recall(own_options(WholeClasses::of(data_, *options), *options), *answer);
  }
  recalled_.clear();
}

std::optional<PartScore> PartFits::score_now(const TrainOptions& options, Purpose purpose) {
  prepare();
  const WholeClasses whole = WholeClasses::of(data_, options);
  const auto fit = [&](const TrainOptions& own) {
    return if_finished(purpose == Purpose::score ? training_->fit_for_score(own, context_)
                                                 : training_->fit(own, context_),
                       context_);
  };
  PredictPart predict_test;
  if (purpose == Purpose::score) {
    predict_test = [&](const Model& model) {
      return training_->predict(model, samples_->test, context_);
    };
  }
  return score_part(whole, own_options(whole, options), samples_->train, test_part(options), fit,
                    context_, predict_test);
}

std::optional<PartScore> PartFits::score(const TrainOptions& options, const std::string& name,
                                         Purpose purpose) {
  if (context_.should_stop()) return std::nullopt;
  try {
    const std::string where = place_text(where_, name);
    if (where.empty()) return score_now(options, purpose);
    return errors_at(where, [&] { return score_now(options, purpose); });
  } catch (const ResourceError&) {
    if (!context_.should_stop() || context_.is_abandoned()) throw;
    return std::nullopt;
  }
}

std::vector<Metric> PartFits::metrics_at(const TrainOptions& options, const PartScore& score,
                                         const std::vector<Index>& rows) const {
  return kernmix::metrics_at(WholeClasses::of(data_, options), samples_->train, test_part(options),
                             score, rows);
}

bool for_each_part(const Context& context, Index parts,
                   const std::function<bool(Index, const Context&)>& body) {
  const FoldThreads threads(context, parts);
  std::vector<char> done(to_size(parts), 0);
  parallel_for(threads.outer(), parts,
               [&](Index i) { done[to_size(i)] = body(i, threads.inner()) ? 1 : 0; });
  return std::ranges::all_of(done, [](char one) { return one == 1; });
}

}  // namespace kernmix
