#pragma once
/// \file
/// What steps in the weights ask of any regularizer: one interface, so that each step is compiled
/// once and not for every regularizer.

#include <optional>

#include "kernmix/regularizer.hpp"
#include "regularizer/concepts.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

/// What cutting planes need: weights on the simplex, or its part below a bound, and no penalty.
template <typename R>
concept HasLinearWeights = OnSimplex<R> && !HasPenaltySlope<R>;

class WeightRules {
 public:
  explicit WeightRules(const Regularizer& regularizer);

  /// Zero weights are the rule.
  [[nodiscard]] bool sparse() const { return sparse_; }
  /// u, where D for M kernels is the part of the simplex below it and there is no penalty
  /// (HasLinearWeights).
  [[nodiscard]] std::optional<double> linear_bound(Index M) const;
  [[nodiscard]] bool linear() const { return linear_; }

  [[nodiscard]] Vector initial_weights(Index M) const {
    return kernmix::initial_weights(regularizer_, M);
  }
  [[nodiscard]] double penalty(ConstSpan d) const { return kernmix::penalty(regularizer_, d); }
  [[nodiscard]] double conjugate(ConstSpan q) const { return kernmix::conjugate(regularizer_, q); }
  /// The closed-form minimiser of 1/2 sum s_m^2 / d_m + Phi(d). Requires HasBestWeights.
  [[nodiscard]] Vector best_weights(ConstSpan norms) const;
  /// A point of D that minimises the model plus Phi. Requires HasModelMinimizer.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;

  /// The kernels that a model looks at, of M: all, where many may share the weight. Some optimum of
  /// a polyhedral D has few weights between their bounds.
  [[nodiscard]] Index most_in_model(Index M) const;

 private:
  Regularizer regularizer_;
  bool sparse_;
  bool polyhedral_;
  bool linear_;
};

}  // namespace kernmix
