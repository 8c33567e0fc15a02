#pragma once
/// \file
/// The variables that SMO moves: all of them at first, fewer after shrinking. Their values lie
/// contiguously, and so do the parts of the kernel rows that are needed.

#include <memory>
#include <vector>

#include "kernmix/solver/inner/smo.hpp"
#include "solver/inner/working_set.hpp"

namespace kernmix::smo {

class ActiveSet {
 public:
  explicit ActiveSet(const BoxProblem& problem);

  /// Makes every variable active. Lengths n.
  void activate_all(ConstSpan a, ConstSpan gradient);

  /// Takes newer values of the variables that are active.
  void load(ConstSpan a, ConstSpan gradient);

  /// Writes the values of the active variables into `a`, length n.
  void store(MutableSpan a) const;

  /// Drops the variables at a bound that the gradient holds there, if enough of them can go to pay
  /// for it; their values are written into `a`, length n.
  void shrink(MutableSpan a);

  /// True where no dropped variable violates optimality by more than `tolerance` together with an
  /// active one. \param a, gradient of all n variables, the active ones as loaded last
  [[nodiscard]] bool holds_without_dropped(ConstSpan a, ConstSpan gradient, double tolerance) const;

  /// The pair to move next, found for the present gradient. Its violation is 0 at an optimum.
  [[nodiscard]] Partner select_partner();

  /// Minimises over a_i + t, a_j - t within the box, i the riser, and updates the gradient.
  /// \returns false where the step is too small to change a_i or a_j
  bool move(Index j);

  [[nodiscard]] bool full() const { return arrays_.n == problem_.n; }
  [[nodiscard]] Index size() const { return arrays_.n; }
  [[nodiscard]] ConstSpan gradient() const {
    return {gradient_.data(), static_cast<std::size_t>(arrays_.n)};
  }

 private:
  struct Interval {
    double least_rising;     ///< min G over the active variables that may rise
    double largest_falling;  ///< max G over those that may fall
  };
  [[nodiscard]] Interval interval() const;
  [[nodiscard]] bool may_leave(Index k, const Interval& interval) const;
  [[nodiscard]] const float* row(Index k);
  void compact(const Interval& interval);
  void reserve_rows();
  void note_bounds(Index k);

  const BoxProblem& problem_;
  PassArrays arrays_;
  Candidate riser_;
  std::vector<Index> members_;  ///< position among the active -> number of the variable
  std::vector<Index> dropped_;
  Vector a_, lower_, upper_, gradient_;
  std::vector<float> rise_penalty_, fall_penalty_, diagonal_;
  std::unique_ptr<float[]> rows_;  ///< row k of the active block at k * size(), filled on demand
  Index rows_capacity_ = 0;
  std::vector<unsigned char> row_ready_;
};

}  // namespace kernmix::smo
