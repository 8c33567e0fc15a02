#pragma once
/// \file
/// The loss of a task for the certificate, with one decision function or several for each sample.
/// Vectors have an entry for each function of each sample, sample by sample.

#include "kernmix/problem.hpp"

namespace kernmix {

class TaskLoss {
 public:
  /// The problem must outlive it.
  TaskLoss(const Problem& problem, Index k);

  /// `a`, feasible up to rounding, corrected to the exact sums of its set. \throws ParameterError
  /// if the length differs or `a` violates its set by more than rounding
  [[nodiscard]] Vector feasible(ConstSpan a) const;
  /// The first term of (D), and the absolute values of its terms.
  [[nodiscard]] double gain(ConstSpan a) const;
  [[nodiscard]] double gain_size(ConstSpan a) const;
  /// Whether t a is feasible for t < 1; and the largest feasible t, at most 2.
  [[nodiscard]] bool may_scale() const;
  [[nodiscard]] double longest_scale(ConstSpan a) const;
  [[nodiscard]] LossPoint at(ConstSpan z, ConstSpan a) const;
  /// Upper bound on the increase of the loss over `point.value` within `error` of `z`, including
  /// rounding.
  [[nodiscard]] double excess(const LossPoint& point, ConstSpan z, ConstSpan error) const;

 private:
  const Problem& problem_;
  Index k_;
  const Task& task_;
  DualSet set_;
};

/// Upper bound on the increase of the loss over `point.value` at any z within z_error of `z`,
/// including rounding. \param point loss_at(z)
/// \throws ParameterError if the loss has no finite bound and is not a sum over samples
[[nodiscard]] double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C,
                                 const LossPoint& point, ConstSpan z, ConstSpan z_error);

}  // namespace kernmix
