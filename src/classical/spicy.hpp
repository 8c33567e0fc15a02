#pragma once
/// \file
/// SpicyMKL: a dual augmented Lagrangian, min_a -gain(a) + Omega*(||a||_{K_1}, ..., ||a||_{K_M}).
///
/// Suzuki and Tomioka, Machine Learning 2011 (SpicyMKL); Tomioka, Suzuki and Sugiyama, JMLR 2011
/// (DAL); docs/reference/solvers/spicy.md.

#include "classical/augmented_lagrangian.hpp"
#include "loss/any.hpp"
#include "regularizer/concepts.hpp"

namespace kernmix {

/// Minimises the augmented Lagrangian by Newton's method, updates the multipliers, and repeats with
/// a larger penalty: with exact steps convergence is superlinear. Certifies after each update.
/// \param start  weights of D, for the certificate at a = 0
/// \throws ResourceError if the n x n Hessian exceeds the memory budget
void spicy(Vector start, const NormProx& norm, Objective& run);

struct Spicy {
  static constexpr const char* name = "spicy";
  static constexpr const char* needs = "the proximal map of its block norm";
  template <typename R>
  static constexpr bool takes = HasNormProx<R>&& HasBestWeights<R>;
  static constexpr const char* needs_of_loss = "a dual that is smooth or quadratic in its box";
  template <typename L>
  static constexpr bool takes_loss = IsSeparableLoss<L> &&
                                     (HasSmoothDual<L> || HasQuadraticDual<L>);
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    const NormProx norm{
        [&](double gamma, ConstSpan x, MutableSpan s) { regularizer.prox(gamma, x, s); },
        [&](double gamma, ConstSpan s) { return regularizer.prox_slope(gamma, s); },
        [&](ConstSpan s, MutableSpan d) { regularizer.best_weights(s, d); }};
    spicy(regularizer.initial_weights(run.kernels()), norm, run);
  }
};

}  // namespace kernmix
