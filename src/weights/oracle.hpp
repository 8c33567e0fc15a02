#pragma once
/// \file
/// The inner problem: weights in, (a, z) out. The only place where outer and inner solver meet.
///
///   max_{a in A}  sum_i -(C_i loss)*(-a_i) - 1/2 a' K(d) a

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"
#include "svm/inner_solver.hpp"
#include "weights/free_block_factor.hpp"

namespace kernmix {

/// Solves the inner problem for one weight vector after another, each from the last dual vector.
class Oracle {
 public:
  Oracle(const Problem& problem, const Context& context);

  /// Improves a for K(d) until the inner duality gap is at most `gap_target`.
  void solve(ConstSpan d, double gap_target);

  /// Replaces the dual vector by another one, made feasible.
  void start_from(Vector a);

  [[nodiscard]] const Vector& a() const { return a_; }
  [[nodiscard]] const Vector& z() const { return z_; }  ///< K(d) a
  /// Whether z() is of the bank's kernels, rather than of K(d) in single precision.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] double inner_gap() const { return gap_; }
  [[nodiscard]] double gain() const;         ///< sum_i -(C_i loss)*(-a_i)
  [[nodiscard]] double lower_value() const;  ///< gain - 1/2 a'z <= the optimal value
  [[nodiscard]] double upper_value() const { return lower_value() + gap_; }  ///< >= it
  [[nodiscard]] Index iterations() const { return iterations_; }
  [[nodiscard]] const DualSet& dual_set() const { return set_; }

  /// Triangles that the inner solver has of kernels.
  [[nodiscard]] TriangleCache& triangle_cache() { return inner_.triangle_cache(); }

  /// Samples where a moves smoothly with the weights.
  [[nodiscard]] std::vector<Index> free_set() const;

  /// What is at hand of K(d): a factor, or the block of the samples `free` where the gap was
  /// measured with no more digits.
  [[nodiscard]] KernelAtHand kernel_at_hand(ConstSpan d, std::span<const Index> free) const;

 private:
  const Problem& problem_;
  const Context& context_;
  DualSet set_;
  InnerSolver inner_;
  Vector a_;
  Vector z_;
  double gap_ = 0.0;
  bool exact_ = true;
  Index iterations_ = 0;
};

}  // namespace kernmix
