#include "model/thresholds/thresholds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernmix/error.hpp"
#include "metrics/threshold_steps.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

std::vector<Index> samples_where(const std::vector<Index>& fold, Index number, bool inside) {
  std::vector<Index> samples;
  for (Index i = 0; i < length(fold); ++i) {
    if ((fold[to_size(i)] == number) == inside) samples.push_back(i);
  }
  return samples;
}

/// The labels that some of the samples have and others have not.
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

/// Decision values of samples that the models were not trained on.
class CrossFit {
 public:
  CrossFit(const Dataset& data, const TrainOptions& options, const Context& context)
      : data_(data),
        options_(options),
        context_(context),
        labels_(data.table.multi_labels),
        decision_(labels_.samples(), length(labels_.names)),
        known_(labels_.names.size(), true) {}

  /// False where time was up.
  [[nodiscard]] bool run();
  [[nodiscard]] bool known(Index label) const { return known_[to_size(label)]; }
  [[nodiscard]] Vector decisions(Index label) const;

 private:
  void run_fold(const std::vector<Index>& trained, const std::vector<Index>& held_out);

  const Dataset& data_;
  const TrainOptions& options_;
  const Context& context_;
  const MultiLabels& labels_;
  Matrix decision_;          ///< n x T
  std::vector<bool> known_;  ///< of each label: has every fold decision values of it?
};

bool CrossFit::run() {
  const std::vector<Index> fold =
      random_folds(labels_.samples(), options_.threshold_folds, context_.seed);
  for (Index f = 0; f < options_.threshold_folds; ++f) {
    if (context_.should_stop()) return false;
    context_.tell(fmt::format("thresholds: fold {} of {}", f + 1, options_.threshold_folds));
    try {
      run_fold(samples_where(fold, f, false), samples_where(fold, f, true));
    } catch (const ResourceError&) {
      if (!context_.should_stop()) throw;
      return false;
    }
  }
  return !context_.should_stop();
}

void CrossFit::run_fold(const std::vector<Index>& trained, const std::vector<Index>& held_out) {
  const std::vector<Index> labels = labels_of_both_signs(labels_, trained);
  for (std::size_t t = 0; t < known_.size(); ++t) {
    if (!std::ranges::binary_search(labels, static_cast<Index>(t))) known_[t] = false;
  }
  if (labels.empty()) return;
  TrainOptions options = options_;
  options.threshold_folds = 0;
  options.trace = nullptr;
  options.sample_weights.clear();
  for (const Index i : trained) {
    if (options_.sample_weights.empty()) break;
    options.sample_weights.push_back(options_.sample_weights[to_size(i)]);
  }
  const Model model = train(part_of(data_, trained, trained, labels), options, context_).model;
  const Matrix decision =
      predict(model, part_of(data_, held_out, trained, labels), context_).decision;
  for (Index i = 0; i < decision.rows; ++i) {
    for (Index t = 0; t < decision.cols; ++t) {
      decision_(held_out[to_size(i)], labels[to_size(t)]) = decision(i, t);
    }
  }
}

Vector CrossFit::decisions(Index label) const {
  Vector column;
  for (Index i = 0; i < decision_.rows; ++i) column.push_back(decision_(i, label));
  return column;
}

/// Half-way to the next lower value, so that it is not the value of one sample.
double between(const std::vector<ThresholdStep>& steps, std::size_t at) {
  const double own = steps[at].threshold;
  if (at + 1 == steps.size()) return own;
  const double middle = std::midpoint(own, steps[at + 1].threshold);
  return middle > steps[at + 1].threshold ? middle : own;
}

}  // namespace

double best_f1_threshold(ConstSpan y, ConstSpan decision) {
  const std::vector<ThresholdStep> steps = threshold_steps(y, decision);
  const double positives = steps.back().positives;
  const auto f1 = [&](const ThresholdStep& step) {
    return 2.0 * step.positives / (step.positives + step.negatives + positives);
  };
  const auto best = std::ranges::max_element(steps, {}, f1);
  return between(steps, to_size(best - steps.begin()));
}

void choose_thresholds(const Dataset& data, const TrainOptions& options, const Context& context,
                       Model& model) {
  CrossFit fit(data, options, context);
  if (!fit.run()) {
    context.tell("no time is left to choose thresholds by cross-fitting: all are 0");
    return;
  }
  for (Index t = 0; t < length(model.tasks); ++t) {
    TaskModel& task = model.tasks[to_size(t)];
    if (fit.known(t)) {
      task.threshold = best_f1_threshold(data.table.multi_labels.signs(t), fit.decisions(t));
      continue;
    }
    context.tell(
        fmt::format("label '{}' is always or never there in the training part of some "
                    "fold: its threshold is 0",
                    task.name));
  }
}

}  // namespace kernmix
