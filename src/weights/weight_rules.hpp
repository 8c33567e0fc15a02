#pragma once
/// \file
/// The interface between the steps in the weights and any regularizer. The common interface lets
/// each step be compiled once instead of once per regularizer.

#include <optional>

#include "kernmix/regularizer.hpp"
#include "regularizer/concepts.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

/// The requirement of cutting planes: weights on the simplex, or the part of it below a bound, and
/// no penalty.
template <typename R>
concept HasLinearWeights = OnSimplex<R> && !HasPenaltySlope<R>;

class WeightRules {
 public:
  explicit WeightRules(const Regularizer& regularizer);

  /// Whether most optimal weights are zero.
  [[nodiscard]] bool sparse() const { return sparse_; }
  /// The bound u if D for M kernels is the part of the simplex below u and there is no penalty
  /// (HasLinearWeights). Otherwise the result is empty.
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

  /// The number of kernels in a model, out of M. It is M if many kernels may share the weight. For
  /// a polyhedral D, some optimum has few weights strictly between their bounds.
  [[nodiscard]] Index most_in_model(Index M) const;

 private:
  Regularizer regularizer_;
  bool sparse_;
  bool polyhedral_;
  bool linear_;
};

}  // namespace kernmix
