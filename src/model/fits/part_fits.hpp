#pragma once
/// \file
/// Models of one part of a data set, and what they predict of another part: the loop of
/// cross-validation, search, comparison, stability, significance, calibration and thresholds.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/training.hpp"
#include "model/fits/in_time.hpp"
#include "model/fits/part_answer.hpp"
#include "model/task_set.hpp"
#include "problem/without_end.hpp"

namespace kernmix {

/// What a model is trained for.
enum class Purpose {
  only,    ///< the one model of its part: nothing is kept for others
  answer,  ///< one of several, whose certificate is of the exact kernels
  score    ///< one of many of which scores choose one: Training::fit_for_score()
};

/// The labels that some of the samples have and others have not: those that can be learnt.
[[nodiscard]] std::vector<Index> labels_of_both_signs(const MultiLabels& labels,
                                                      const std::vector<Index>& samples);

/// The kernels of a part are computed once, a model begins with what earlier ones found, and errors
/// say where they come from. Nothing is computed before the first model.
class PartFits {
 public:
  /// Options have the weights and groups of all samples; those of the part are taken.
  /// \param where  of the part, for messages: "fold 2", or empty
  /// \param kernels  in place of those of the options, for Purpose::only; or null. Everything must
  /// outlive it.
  PartFits(const Dataset& data, const Fold& part, std::string where, const Context& context,
           const DescribedKernels* kernels = nullptr)
      : data_(data),
        part_(part),
        where_(std::move(where)),
        outer_(context),
        context_(of_use_if_finished(context)),
        kernels_(kernels) {}
  /// \param samples  of the part, where they are not those of `data`, whose classes count
  PartFits(const Dataset& data, const Fold& part, FoldData samples, const Context& context,
           const DescribedKernels* kernels)
      : PartFits(data, part, "", context, kernels) {
    samples_ = std::move(samples);
  }

  /// in_time() with the place of the part and, unless it is empty, of one of its models.
  template <typename Body>
  [[nodiscard]] auto in_time(const std::string& name, const Body& body) const {
    const bool both = !where_.empty() && !name.empty();
    return kernmix::in_time(outer_, where_ + (both ? ", " : "") + name, body);
  }
  /// Trains on the train samples. \returns nothing where the context said stop before the model was
  /// finished
  [[nodiscard]] std::optional<TrainResult> fit(const TrainOptions& options, Purpose purpose);
  /// Trains, and predicts the test samples in terms of all classes. \returns as fit()
  [[nodiscard]] std::optional<PartAnswer> answer(const TrainOptions& options, Purpose purpose);

  /// Models after this do not begin with those before it.
  void forget();
  /// As if a model with these options had been trained and had left `answer`, which must outlive
  /// the next model. Nothing is read before that one.
  void recall(const TrainOptions& options, const std::vector<StartingPoint>& answer);
  /// What the last model leaves to others.
  [[nodiscard]] std::vector<StartingPoint> last_answer() const { return training_->last_answer(); }
  [[nodiscard]] Reuse reuse() const { return training_ ? training_->reuse() : Reuse(); }

  /// The samples to train on, and those to predict.
  [[nodiscard]] const FoldData& samples();
  /// How often each of those to predict counts; empty: once.
  [[nodiscard]] Vector test_weights(const TrainOptions& options) const;
  /// Of all samples.
  [[nodiscard]] WholeClasses classes(const TrainOptions& options) const {
    return WholeClasses::of(data_, options);
  }

 private:
  struct Recalled {
    const TrainOptions* options;
    const std::vector<StartingPoint>* answer;
  };
  [[nodiscard]] Training& training();
  [[nodiscard]] TrainOptions own_options(const TrainOptions& options);
  [[nodiscard]] TrainResult trained(const TrainOptions& own, Purpose purpose);

  const Dataset& data_;
  const Fold& part_;
  std::string where_;
  const Context& outer_;
  Context context_;  ///< whose end abandons a model
  const DescribedKernels* kernels_;
  std::optional<FoldData> samples_;  ///< once a model is trained
  std::optional<Training> training_;
  std::vector<Recalled> recalled_;  ///< not yet told to the training
};

}  // namespace kernmix
