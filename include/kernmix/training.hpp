#pragma once
/// \file
/// Several models of one training set: kernels are computed once, and later models start from the
/// answers of earlier ones.

#include <memory>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

struct DescribedKernels;

/// What the models of a Training shared.
struct Reuse {
  Index models = 0;
  Index kernel_builds = 0;      ///< models for which at least some kernels were computed
  Index warm_starts = 0;        ///< models that started from the weights of an earlier one
  double kernel_seconds = 0.0;  ///< spent on kernel computation
  double saved_seconds = 0.0;   ///< additional time of kernels without sharing
};

/// Makes the checks of train() that precede the computation of kernels; matrices are not read.
/// \throws ParameterError, DataError as train()
void check_training(const Dataset& data, const TrainOptions& options);

/// Trains models one after another on the same data.
///
/// The kernels of the last model stay in memory (exact values too if they fit), and the next model
/// reuses them. They are recomputed if a setting that defines them changes: kernels, scaling,
/// normalization, assume_psd, or a loss of distances in place of another one. They are also
/// recomputed when the tolerance, or an earlier model that has not been forgotten, requires double
/// precision. All other settings may change from model to model. A warm start does not affect the
/// guarantee: each model is certified to its own tolerance, within which it may differ from a model
/// trained alone. The same sequence of models gives bitwise identical results.
///
/// Not safe for concurrent calls.
class Training {
 public:
  /// \param data must outlive this object and must not change
  explicit Training(const Dataset& data);
  ~Training();
  Training(Training&&) noexcept;
  Training& operator=(Training&&) noexcept;

  /// As train(). `seconds.kernels` is the time for this model only. \throws as train()
  [[nodiscard]] TrainResult fit(const TrainOptions& options, const Context& context);

  /// As fit(), for the candidates of a search: without warnings, and with a certificate on the
  /// kernels in memory, in their precision there.
  [[nodiscard]] TrainResult fit_for_score(const TrainOptions& options, const Context& context);

  /// predict() with the last model, for samples that several models predict: the kernels between
  /// them and the training samples are evaluated once and stay in memory if they fit in a quarter
  /// of the budget. Decision values differ from those of predict() only by rounding. \param fresh
  /// must not change \throws as predict()
  [[nodiscard]] Prediction predict(const Model& model, const Dataset& fresh,
                                   const Context& context);

  /// The next model starts as if it were the first one; kernels stay in memory.
  void forget_answers();

  /// The starting point that the last model provides for later ones; empty before the first model.
  [[nodiscard]] std::vector<StartingPoint> last_answer() const;

  /// Restores the state after fit(options) with this answer: later models are bitwise identical.
  /// \param answer from last_answer() of a Training on the same data
  /// \throws as train() for the options; ParameterError if the answer belongs to another problem
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
