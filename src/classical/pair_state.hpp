#pragma once
/// \file
/// The state of SMO-MKL: a dual vector with u_m = K_m a and q_m = a'u_m for all kernels, and steps
/// a <- a + t (e_i - e_j) that update them.

#include "classical/kernel_rows.hpp"
#include "classical/smo_mkl.hpp"

namespace kernmix {

class PairState {
 public:
  /// \param rows number of samples whose rows of all kernels may be cached
  PairState(const Problem& problem, const DualSet& set, const SmoothSupport& support, Index rows,
            const Context& context);

  /// One step with the best pair; false if no pair improves by more than rounding.
  bool step();
  /// Recomputes the state from a, which is made feasible.
  void refresh();

  /// The relative gap, up to the drift of the updates.
  [[nodiscard]] double relative_gap() const;
  [[nodiscard]] const Vector& a() const { return a_; }
  [[nodiscard]] const Vector& q() const { return q_; }
  [[nodiscard]] const Vector& d() const { return d_; }

 private:
  /// A pair (increasing, decreasing); sample n is the slack of a problem without fixed sum: it has
  /// no kernel row, bounds or gain.
  struct Pair {
    Index up = -1;
    Index down = -1;
    double slope = 0.0;  ///< of the dual along the pair
    double score = 0.0;  ///< gain in the second-order model
  };

  [[nodiscard]] double slope(Index i, bool rising) const;
  [[nodiscard]] bool movable(Index i, bool rising) const;
  [[nodiscard]] Index steepest() const;
  [[nodiscard]] Pair best_partner(Index up);
  void score_partners(Index up, const ConjugateCurvature& curvature, Index begin, Index end,
                      Pair& best) const;
  /// The rows of sample i in all kernels; zeros for the slack.
  [[nodiscard]] const Matrix& rows_of(Index i);
  [[nodiscard]] double longest_step(const Pair& pair) const;
  [[nodiscard]] double search(const Pair& pair, ConstSpan g, ConstSpan h) const;
  void move(const Pair& pair, double t, ConstSpan g, ConstSpan h);
  /// The weight of the kernel 1 1' of a penalised bias, and whether this pair changes sum a.
  [[nodiscard]] double constant_for(const Pair& pair) const;
  [[nodiscard]] double diagonal(Index m, Index i) const;
  [[nodiscard]] double product(Index m, Index i) const;

  const Problem& problem_;
  const DualSet& set_;
  const SmoothSupport& support_;
  const Context& context_;
  Index n_;
  Index M_;
  Vector linear_, curve_, kink_;  ///< the quadratic terms of the loss
  Vector a_, q_, d_, z_;
  double sum_ = 0.0;  ///< sum a for a penalised bias, otherwise 0
  Matrix U_;          ///< M x n: K_m a
  Matrix diagonals_;  ///< M x n
  KernelRows rows_;
  Matrix zeros_;                ///< rows of the slack, empty without a slack
  const Matrix* up_ = nullptr;  ///< the rows of the increasing sample
};

}  // namespace kernmix
