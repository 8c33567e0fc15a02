#pragma once
/// \file
/// The variables that SMO moves: all of them at first, fewer after shrinking. Their values lie
/// contiguously, and so do the parts of the kernel rows that are needed.

#include <array>
#include <memory>
#include <vector>

#include "kernmix/svm/smo.hpp"
#include "svm/smo/optimality.hpp"
#include "svm/smo/working_set.hpp"

namespace kernmix::smo {

/// Two variables of one block: the first rises by what the second falls.
struct Pair {
  Index riser = -1;
  Index faller = -1;
  double violation = 0.0;  ///< the largest of any pair; 0 at an optimum
};

/// Where kink_k > 0 the objective is smooth on either side of a_k = 0 only. Such a variable is on
/// one side at a time: its box ends at 0 and its gradient includes the slope of kink |a| there.
/// It changes sides when it arrives at 0, and at 0 in choose_sides().
class ActiveSet {
 public:
  explicit ActiveSet(const BoxProblem& problem);

  /// Makes every variable active. Lengths n.
  void activate_all(ConstSpan a, ConstSpan gradient);

  /// Takes newer values of the variables that are active, the gradient without kinks.
  void load(ConstSpan a, ConstSpan gradient);

  /// Writes the values of the active variables into `a`, length n.
  void store(MutableSpan a) const;
  /// Likewise the gradient, without kinks.
  void store_gradient(MutableSpan gradient) const;

  /// Drops the variables at a bound or kink that the gradient holds there, if enough of them can go
  /// to pay for it; their values are written into `a`, length n.
  void shrink(MutableSpan a);

  /// Puts the variables at a kink on the side that they would leave it to.
  void choose_sides();

  /// True where no dropped variable violates optimality by more than `tolerance` together with an
  /// active one. \param a, gradient of all n variables, the active ones as loaded last
  [[nodiscard]] bool holds_without_dropped(ConstSpan a, ConstSpan gradient, double tolerance) const;

  /// The pair to move next, found for the present gradient.
  [[nodiscard]] Pair select_pair();

  /// Minimises over a_i + t, a_j - t within the box, and updates the gradient.
  /// \returns false where the step is too small to change a_i or a_j
  bool move(const Pair& pair);

  [[nodiscard]] bool full() const { return size_ == problem_.n; }

 private:
  /// Who may rise or fall in one block, as penalties for the passes.
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
  Vector side_;  ///< +1 or -1 where there is a kink, else 0; the gradient includes side * kink
  std::vector<Index> block_;
  std::vector<float> diagonal_;
  std::unique_ptr<float[]> rows_;  ///< row k of the active block at k * size, filled on demand
  Index rows_capacity_ = 0;
  std::vector<unsigned char> row_ready_;
};

}  // namespace kernmix::smo
