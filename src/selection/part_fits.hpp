#pragma once
/// \file
/// Many models of one part of a data set, each scored on another part: what cross-validation,
/// search and comparison do.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/training.hpp"
#include "selection/part_score.hpp"

namespace kernmix {

/// What a model is trained for.
enum class Purpose {
  answer,  ///< its certificate is of the exact kernels
  score    ///< one of many of which scores choose one: Training::fit_for_score()
};

/// The kernels of a part are computed once, a model begins with what earlier ones found, and errors
/// say where they come from. Nothing is computed before the first model.
class PartFits {
 public:
  /// \param where  of the part, for messages: "fold 2", or empty. Everything must outlive it.
  PartFits(const Dataset& data, const Fold& part, std::string where, const Context& context)
      : data_(data), part_(part), where_(std::move(where)), context_(context) {}

  /// Trains on the train samples and scores on the test samples, in terms of all classes.
  /// \param name  of the model, for messages, or empty
  /// \returns nothing where the context said stop before the model was finished
  [[nodiscard]] std::optional<PartScore> score(const TrainOptions& options, const std::string& name,
                                               Purpose purpose);
  /// PartScore::metrics of some of the test samples. \param rows  of the test part
  [[nodiscard]] std::vector<Metric> metrics_at(const TrainOptions& options, const PartScore& score,
                                               const std::vector<Index>& rows) const;

  /// Models after this do not begin with those before it.
  void forget();
  /// As if a model with these options had been trained and had left `answer`, which must outlive
  /// the next model. Nothing is read before that one.
  void recall(const TrainOptions& options, const std::vector<StartingPoint>& answer);
  /// What the last model leaves to others.
  [[nodiscard]] std::vector<StartingPoint> last_answer() const { return training_->last_answer(); }
  [[nodiscard]] Reuse reuse() const { return training_ ? training_->reuse() : Reuse(); }

 private:
  struct Recalled {
    const TrainOptions* options;
    const std::vector<StartingPoint>* answer;
  };
  void prepare();
  [[nodiscard]] std::optional<PartScore> score_now(const TrainOptions& options, Purpose purpose);
  [[nodiscard]] TrainOptions own_options(const WholeClasses& whole,
                                         const TrainOptions& options) const;
  [[nodiscard]] TestPart test_part(const TrainOptions& options) const;

  const Dataset& data_;
  const Fold& part_;
  std::string where_;
  const Context& context_;
  std::optional<FoldData> samples_;  ///< once a model is trained
  std::optional<Training> training_;
  std::vector<Recalled> recalled_;  ///< not yet told to the training
};

/// The parts, side by side where they are as many as the threads, else one after the other with all
/// threads inside each.
/// \param body  of a part, with the context of one; false where the context said stop
/// \returns whether all said true
[[nodiscard]] bool for_each_part(const Context& context, Index parts,
                                 const std::function<bool(Index, const Context&)>& body);

}  // namespace kernmix
