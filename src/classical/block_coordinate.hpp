#pragma once
/// \file
/// Block coordinate descent for soft margin MKL, as in its paper.

#include <cmath>

#include "loss/any.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

/// Xu, Tsang and Xu, TNNLS 2013, algorithm 1: from d = (1/M, ..., 1/M),
///
///   a <- SVM(K(d));   s_m <- d_m sqrt(a' K_m a);
///   d <- argmin_{x in D} 1/2 sum_m s_m^2 / x_m + Phi(x)
///
/// The weights come from the regularizer: water filling on the simplex below a bound (their lemma 8
/// with erratum 25 of docs/explanation/errata.md). The same alternation as `alternating` without
/// its lower bound on weights: a weight that reaches zero stays there. The objective never
/// increases.
template <typename R>
requires OnSimplex<R> && HasBestWeights<R>
void block_coordinate(const R& regularizer, Objective& run) {
  StagnationCheck patience(100);
  const auto M = static_cast<std::size_t>(run.kernels());
  Point point = run.evaluate(Vector(M, 1.0 / static_cast<double>(M)), "start");
  Vector norms(M);
  while (!run.finished()) {
    for (std::size_t m = 0; m < M; ++m) norms[m] = point.d[m] * std::sqrt(point.q[m]);
    Vector d(M);
    regularizer.best_weights(norms, d);
    point = run.evaluate(std::move(d), "closed-form");
    patience.after_step(run);
  }
}

struct BlockCoordinate {
  static constexpr const char* name = "block-coordinate";
  static constexpr const char* needs = "closed-form weights on the simplex";
  template <typename R>
  static constexpr bool takes = OnSimplex<R>&& HasBestWeights<R>;
  static constexpr const char* needs_of_loss = "positive semidefinite kernels";
  template <typename L>
  static constexpr bool takes_loss = !OnDistances<L>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    block_coordinate(regularizer, run);
  }
};

}  // namespace kernmix
