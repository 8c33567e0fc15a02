#pragma once
/// \file
/// What the certificate asks of the loss of a task, whether its samples have one decision function
/// or several. Vectors have an entry for each function of each sample, sample by sample.

#include "kernmix/problem.hpp"

namespace kernmix {

class TaskLoss {
 public:
  /// The problem must outlive it.
  TaskLoss(const Problem& problem, Index k);

  /// `a` with the sums that its set holds exactly, where it was feasible up to rounding.
  /// \throws ParameterError when the length differs or `a` leaves its set by more than rounding
  [[nodiscard]] Vector feasible(ConstSpan a) const;
  /// The first term of (D), and the absolute values of its terms.
  [[nodiscard]] double gain(ConstSpan a) const;
  [[nodiscard]] double gain_size(ConstSpan a) const;
  /// Whether t a is feasible for t < 1; if so the longest t, at most 2.
  [[nodiscard]] bool may_scale() const;
  [[nodiscard]] double longest_scale(ConstSpan a) const;
  [[nodiscard]] LossPoint at(ConstSpan z, ConstSpan a) const;
  /// How much larger than `point.value` the loss may be within `error` of `z`, rounding included.
  [[nodiscard]] double excess(const LossPoint& point, ConstSpan z, ConstSpan error) const;

 private:
  const Problem& problem_;
  Index k_;
  const Task& task_;
  DualSet set_;
};

/// How much larger than `point.value` the loss may be at any z within z_error of `z`, rounding
/// included. \param point  loss_at(z)
/// \throws ParameterError where the loss has no finite bound and no value of one sample
[[nodiscard]] double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C,
                                 const LossPoint& point, ConstSpan z, ConstSpan z_error);

}  // namespace kernmix
