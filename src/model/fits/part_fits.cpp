// f trained on the train part, and its values on the test part: one model after the other.

#include "model/fits/part_fits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "model/fits/train_again.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/pipeline.hpp"
#include "model/prediction_kernels.hpp"
#include "model/thresholds/folds.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {

std::vector<Index> labels_of_both_signs(const MultiLabels& labels,
                                        const std::vector<Index>& samples) {
  std::vector<Index> found;
  for (Index t = 0; t < length(labels.names); ++t) {
    const auto has = [&](Index i) { return labels.has(i, t); };
    const auto count = std::ranges::count_if(samples, has);
    if (count > 0 && count < length(samples)) found.push_back(t);
  }
  return found;
}

FoldData fold_data(const Dataset& data, const Fold& fold, const Context& context) {
  const MultiLabels& all = data.table.multi_labels;
  const std::vector<Index> labels = labels_of_both_signs(all, fold.train);
  if (labels.size() < all.names.size()) {
    context.tell(
        fmt::format("{} labels are left out of a fold: all or none of the samples to "
                    "train on have them",
                    all.names.size() - labels.size()));
  }
  return {part_of(data, fold.train, fold.train, labels),
          part_of(data, fold.test, fold.train, labels)};
}

void PartFits::forget() {
  recalled_.clear();
  if (training_) training_->forget_answers();
}

void PartFits::recall(const TrainOptions& options, const std::vector<StartingPoint>& answer) {
  if (answer.empty()) return;  // of a part with one class, whose model is no model
  recalled_.push_back({&options, &answer});
}

const FoldData& PartFits::samples() {
  if (!samples_) samples_ = fold_data(data_, part_, context_);
  return *samples_;
}

Vector PartFits::test_weights(const TrainOptions& options) const {
  return entries_at(options.sample_weights, part_.test);
}

TrainOptions PartFits::own_options(const TrainOptions& options) {
  check_landmark_count(options.landmarks, sample_count(data_.table, data_.matrices));
  return options_of_part(classes(options), options, samples().train, part_.train);
}

Training& PartFits::training() {
  if (!training_) training_.emplace(samples().train);
  for (const auto& [options, answer] : recalled_) {
    training_->recall(own_options(*options), *answer);
  }
  recalled_.clear();
  return *training_;
}

TrainResult PartFits::trained(const TrainOptions& own, Purpose purpose) {
  if (purpose == Purpose::score) return training().fit_for_score(own, context_);
  if (purpose == Purpose::answer) return training().fit(own, context_);
  if (kernels_ != nullptr) return train_again(samples().train, own, *kernels_, context_);
  return train(samples().train, own, context_);
}

std::optional<TrainResult> PartFits::fit(const TrainOptions& options, Purpose purpose) {
  return if_finished(trained(own_options(options), purpose), context_);
}

std::optional<PartAnswer> PartFits::answer(const TrainOptions& options, Purpose purpose) {
  const WholeClasses whole = classes(options);
  const auto [train, test] = std::tie(samples().train, samples().test);
  if (const auto only = only_class(whole, train.table)) {
    return constant_answer(whole, options, *only, length(test.table.labels));
  }
  std::optional<TrainResult> found = fit(options, purpose);
  if (!found) return std::nullopt;
  Prediction prediction = purpose == Purpose::score
                              ? training_->predict(found->model, test, context_)
                              : predict(found->model, test, without_end(context_));
  return among_all_classes(whole, std::move(*found), std::move(prediction));
}

}  // namespace kernmix
