#pragma once
/// \file
/// Many models of one training set: its kernels are computed once, and a model begins with what
/// earlier ones found.

#include <memory>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

struct DescribedKernels;

/// What the models of a Training had in common.
struct Reuse {
  Index models = 0;
  Index kernel_builds = 0;      ///< models whose kernels were computed anew, at least in part
  Index warm_starts = 0;        ///< models that began with the weights of an earlier one
  double kernel_seconds = 0.0;  ///< spent on kernels
  double saved_seconds = 0.0;   ///< on kernels, had they been computed for every model
};

/// Refuses whatever train() refuses before it computes a kernel; matrices are not read.
/// \throws ParameterError, DataError as train()
void check_training(const Dataset& data, const TrainOptions& options);

/// Trains one model after the other on the same data.
///
/// Kernels of the last model stay in memory, exact ones too where there is room, and serve the next
/// one unless it asks for others: kernels, scaling, normalization, assume_psd, a loss of distances
/// or of something else, or double precision, for which the tolerance asks, or a model that needed
/// it and is not forgotten. Whatever else may change from model to model. A warm start changes the
/// way and not the claim: every model is certified to its own tolerance, within which it may differ
/// from one that is trained alone. The same models in the same order have the same bits.
///
/// One call at a time.
class Training {
 public:
  /// \param data  must outlive it, and not change
  explicit Training(const Dataset& data);
  ~Training();
  Training(Training&&) noexcept;
  Training& operator=(Training&&) noexcept;

  /// As train(). `seconds.kernels` is what this model took. \throws as train()
  [[nodiscard]] TrainResult fit(const TrainOptions& options, const Context& context);

  /// As fit(), for one of many models of which scores choose one: without warnings, and its
  /// certificate is of the kernels in memory, in the precision that they have there.
  [[nodiscard]] TrainResult fit_for_score(const TrainOptions& options, const Context& context);

  /// predict() of the last model of this Training, on samples that many of its models predict:
  /// kernels between them and the training samples are evaluated once and stay in memory, where a
  /// quarter of the budget has room for them. Decision values differ from those of predict() by
  /// rounding at most. \param fresh  must stay as it is \throws as predict()
  [[nodiscard]] Prediction predict(const Model& model, const Dataset& fresh,
                                   const Context& context);

  /// The next model begins as if it were the first one; kernels stay.
  void forget_answers();

  /// What the last model leaves to those after it; empty before the first one.
  [[nodiscard]] std::vector<StartingPoint> last_answer() const;

  /// As if fit(options) had been called and had left `answer`: models after it have the same bits.
  /// \param answer  of last_answer(), in a Training of the same data
  /// \throws as train() for the options; ParameterError for the answer to another problem
  void recall(const TrainOptions& options, std::vector<StartingPoint> answer);

  [[nodiscard]] const Reuse& reuse() const;

 private:
  friend TrainResult train(const Dataset&, const TrainOptions&, const Context&);
  friend TrainResult train_again(const Dataset&, const TrainOptions&, const DescribedKernels&,
                                 const Context&);
  struct State;
  std::unique_ptr<State> state_;
};

/// Places of models in the order in which one Training has least to do: those with the same kernels
/// follow each other, and among them those that differ in C alone, which ascends; else as given.
[[nodiscard]] std::vector<Index> training_order(const std::vector<TrainOptions>& models);

/// The part of a fold to train on, and the one to predict with its models.
struct FoldData {
  Dataset train;
  Dataset test;
};
[[nodiscard]] FoldData fold_data(const Dataset& data, const Fold& fold, const Context& context);

}  // namespace kernmix
