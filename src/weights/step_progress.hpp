#pragma once
/// \file
/// The progress of a solve, from which the benefit of further steps is predicted.

#include <limits>

namespace kernmix {

/// The outcome of a line search.
struct Trial {
  bool accepted = false;
  bool as_promised = false;  ///< J fell by a good part of the prediction, beyond its accuracy
};

/// Detects stagnation of Newton's method. Within the accuracy of J, Newton steps may cycle. If the
/// dual value converges last, J falls as predicted long before the certificate improves.
class StepProgress {
 public:
  explicit StepProgress(double gap) : gap_(gap) {}

  void see_newton(const Trial& trial, double gap) {
    see(gap);
    last_was_newton_ = true;
    began_ = true;
    accepted_ = trial.accepted;
    unpromising_ = trial.as_promised ? 0 : unpromising_ + 1;
    ++fruitless_;
    if (tighter()) fruitless_ = 0;
  }
  void see_other(double gap) {
    see(gap);
    last_was_newton_ = false;
    if (tighter()) fruitless_ = 0;
  }

  [[nodiscard]] double gap() const { return gap_; }        ///< of the best answer
  [[nodiscard]] double before() const { return before_; }  ///< before the last step
  /// Whether no Newton step has been taken yet.
  [[nodiscard]] bool at_start() const { return !began_; }
  [[nodiscard]] bool newton_was_last() const { return last_was_newton_; }
  /// Whether the last Newton step suggests that further Newton steps will not help.
  [[nodiscard]] bool newton_lost() const {
    constexpr int kSteps = 3;
    constexpr int kPromisingSteps = 12;
    const bool in_circles = fruitless_ > kSteps && unpromising_ > kSteps;
    return last_was_newton_ && (!accepted_ || in_circles || fruitless_ > kPromisingSteps);
  }
  [[nodiscard]] bool exhausted() const {
    constexpr int kPatience = 40;
    return fruitless_ >= kPatience || without_bound_ >= kPatience;
  }

 private:
  void see(double gap) {
    constexpr double kNoBound = 0.99;
    before_ = gap_;
    gap_ = gap;
    without_bound_ = gap_ >= kNoBound && gap_ == before_ ? without_bound_ + 1 : 0;
  }
  [[nodiscard]] bool tighter() const { return gap_ < 0.99 * before_; }

  double gap_;
  double before_ = std::numeric_limits<double>::infinity();
  bool began_ = false;
  bool last_was_newton_ = false;
  bool accepted_ = true;
  int fruitless_ = 0;      ///< consecutive Newton steps without a tighter certificate
  int without_bound_ = 0;  ///< consecutive steps of any kind at an unchanged gap near 1
  int unpromising_ = 0;    ///< consecutive Newton steps without the predicted fall of J
};

}  // namespace kernmix
