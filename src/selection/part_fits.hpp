#pragma once
/// \file
/// Many models of one part of a data set, each scored on another part, for cross-validation, search
/// and comparison.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/training.hpp"
#include "selection/part_score.hpp"

namespace kernmix {

/// Purpose of a model.
enum class Purpose {
  answer,  ///< a final model, certified on the exact kernels
  score    ///< a candidate of a search: Training::fit_for_score()
};

/// The kernels of a part are computed once, models start from earlier ones, and errors name the
/// part. Nothing is computed before the first model.
class PartFits {
 public:
  /// \param where  of the part, for messages: "fold 2", or empty. Everything must outlive it.
  PartFits(const Dataset& data, const Fold& part, std::string where, const Context& context)
      : data_(data), part_(part), where_(std::move(where)), context_(context) {}

  /// Trains on the training samples and scores on the test samples, with the classes of all
  /// samples.
  /// \param name  of the model, for messages, or empty
  /// \returns nothing if the context requested a stop before the model was finished
  [[nodiscard]] std::optional<PartScore> score(const TrainOptions& options, const std::string& name,
                                               Purpose purpose);
  /// PartScore::metrics of some of the test samples. \param rows  of the test part
  [[nodiscard]] std::vector<Metric> metrics_at(const TrainOptions& options, const PartScore& score,
                                               const std::vector<Index>& rows) const;

  /// Later models do not start from earlier ones.
  void forget();
  /// Restores the state after training a model with these options and this answer, which must
  /// outlive the next model. Nothing is read before that model.
  void recall(const TrainOptions& options, const std::vector<StartingPoint>& answer);
  /// The starting points that the last model provides.
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
  std::optional<FoldData> samples_;  ///< set by the first model
  std::optional<Training> training_;
  std::vector<Recalled> recalled_;  ///< not yet passed to the training
};

/// Calls body for all parts, in parallel if there are at least as many as threads, otherwise one
/// after another with all threads in each. \param body returns false if the context requests a stop
/// \returns whether all calls returned true
[[nodiscard]] bool for_each_part(const Context& context, Index parts,
                                 const std::function<bool(Index, const Context&)>& body);

}  // namespace kernmix
