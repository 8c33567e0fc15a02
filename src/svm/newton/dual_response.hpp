#pragma once
/// \file
/// The responses of the samples to decision values f, near an anchor a0:
///
///   a_i(f) = argmax_{a in the box}  gain_i(a) - f_i a - (a - a0_i)^2 / (2 step_i),
///
/// the slope of the loss smoothed by its Moreau envelope (Rockafellar 1976). With
/// gain = linear a - 1/2 diagonal a^2 - kink |a| it is a soft threshold, clipped to the box.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// For losses with a quadratic dual or with a slope.
class DualResponse {
 public:
  /// Both must outlive it.
  DualResponse(const Problem& problem, const DualSet& set);

  /// False if the response is smooth without an anchor: no bounds, no kinks, or a smooth loss.
  [[nodiscard]] bool proximal() const { return proximal_; }

  /// Sets a0 and step_i = `step` times the width of the box of sample i, or 1 / diagonal for an
  /// unbounded box. No effect unless proximal().
  void set_anchor(ConstSpan a, double step);

  /// The unit of decision values: the root mean square of the linear gains, centred in each block,
  /// or of f if they are all equal; 1 for smooth losses. With `step` = 1 / unit most responses are
  /// inside their boxes.
  [[nodiscard]] double unit() const { return unit_; }
  void set_unit(ConstSpan f);

  /// Computes the bias of each block for which a(f + bias) has the required sum, starting from
  /// `bias`; a in the box; and slope[i] = -da_i / df_i, 0 at a bound or a kink.
  void answer(ConstSpan f, MutableSpan bias, MutableSpan a, MutableSpan slope,
              const Context& context) const;

 private:
  struct Answer {
    double a;
    double slope;
  };
  /// Over the samples of a block.
  struct Sums {
    double a = 0.0;
    double size = 0.0;  ///< sum |a|
    double slope = 0.0;
  };
  struct Balance;
  struct Bracket;

  [[nodiscard]] double spread(ConstSpan values) const;
  [[nodiscard]] Answer quadratic_answer(std::size_t i, double f) const;
  template <typename Body>
  void with_answers(const Body& body) const;
  [[nodiscard]] Sums sums(Index block, ConstSpan f, double bias, const Context& context) const;
  [[nodiscard]] Balance balance(Index block, ConstSpan f, double bias,
                                const Context& context) const;
  [[nodiscard]] bool in_block(std::size_t i, Index block) const {
    return !set_.balanced() || set_.block[i] == block;
  }

  const Problem& problem_;
  const DualSet& set_;
  bool quadratic_ = false;
  bool proximal_ = false;
  double unit_ = 1.0;
  Vector linear_, diagonal_, kink_, width_;  ///< of a quadratic gain
  Vector centre_;                            ///< linear + a0 / step
  Vector curvature_;                         ///< diagonal + 1 / step
};

}  // namespace kernmix
