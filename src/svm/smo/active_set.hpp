#pragma once
/// \file
/// The variables that SMO moves: all of them at first, fewer after shrinking. Their values and the
/// required parts of kernel rows are contiguous.

#include <array>
#include <memory>
#include <vector>

#include "kernmix/svm/smo.hpp"
#include "svm/smo/optimality.hpp"
#include "svm/smo/working_set.hpp"

namespace kernmix::smo {

/// Two variables of one block: the first increases by the amount by which the second decreases.
struct Pair {
  Index riser = -1;
  Index faller = -1;
  double violation = 0.0;  ///< the largest of any pair; 0 at an optimum
};

/// If kink_k > 0, the objective is smooth only on each side of a_k = 0. The variable is on one side
/// at a time: its box ends at 0 and its gradient includes the slope of kink |a| there. It changes
/// sides when it reaches 0, and at 0 in choose_sides().
class ActiveSet {
 public:
  explicit ActiveSet(const BoxProblem& problem);

  /// Makes every variable active. Lengths n.
  void activate_all(ConstSpan a, ConstSpan gradient);

  /// Updates the values of the active variables; the gradient is without kinks.
  void load(ConstSpan a, ConstSpan gradient);

  /// Writes the values of the active variables into `a`, length n.
  void store(MutableSpan a) const;
  /// Likewise the gradient, without kinks.
  void store_gradient(MutableSpan gradient) const;

  /// Removes variables that the gradient keeps at a bound or kink, if they are numerous enough;
  /// their values are written into `a`, length n.
  void shrink(MutableSpan a);

  /// Moves variables at a kink to the side to which they would leave it.
  void choose_sides();

  /// True if no removed variable violates optimality by more than `tolerance` together with an
  /// active one. \param a, gradient of all n variables, the active ones as loaded last
  [[nodiscard]] bool holds_without_dropped(ConstSpan a, ConstSpan gradient, double tolerance) const;

  /// Selects the next pair for the current gradient.
  [[nodiscard]] Pair select_pair();

  /// Minimises over a_i + t, a_j - t within the box, and updates the gradient.
  /// \returns false if the step is too small to change a_i or a_j
  bool move(const Pair& pair);

  [[nodiscard]] bool full() const { return size_ == problem_.n; }

 private:
  /// Which variables of a block may increase or decrease, as penalties for the passes.
  struct Block {
    std::vector<float> rise_penalty, fall_penalty;
    PassArrays arrays;
    Candidate riser;
  };

  [[nodiscard]] Derivatives derivatives_at(Index k) const;
  [[nodiscard]] Intervals intervals() const;
  [[nodiscard]] bool may_leave(Index k, const Intervals& intervals) const;
  [[nodiscard]] const float* row(Index k);
  void resize(Index size);
  void select_risers();
  void compact(const Intervals& intervals);
  void reserve_rows();
  void note_bounds(Index k);
  void put_on_side(Index k, double side);
  void pass_kink(Index k, double before);

  const BoxProblem& problem_;
  Index size_ = 0;
  std::array<Block, most_blocks> blocks_;
  Index block_count_ = 1;
  std::vector<Index> members_;  ///< position among the active -> number of the variable
  std::vector<Index> dropped_;
  Vector a_, lower_, upper_, gradient_, kink_;
  Vector side_;  ///< +1 or -1 with a kink, otherwise 0; the gradient includes side * kink
  std::vector<Index> block_;
  std::vector<float> diagonal_;
  std::unique_ptr<float[]> rows_;  ///< row k of the active block at k * size, filled on demand
  Index rows_capacity_ = 0;
  std::vector<unsigned char> row_ready_;
};

}  // namespace kernmix::smo
