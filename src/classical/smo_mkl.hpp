#pragma once
/// \file
/// SMO-MKL: sequential minimal optimisation of the whole dual, weights included.
///
///   max_{a in A}  gain(a) - sigma(q(a) / 2),    q_m(a + t (e_i - e_j)) = q_m + 2 t g_m + t^2 h_m
///   g_m = (K_m a)_i - (K_m a)_j,   h_m = K_m,ii + K_m,jj - 2 K_m,ij
///
/// Vishwanathan, Sun, Ampornpunt and Varma, NIPS 2010; docs/reference/solvers/smo-mkl.md.

#include <functional>

#include "loss/any.hpp"
#include "regularizer/concepts.hpp"
#include "regularizer/conjugate_curvature.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The functions of a regularizer with a smooth sigma.
struct SmoothSupport {
  std::function<void(ConstSpan q, MutableSpan d)> maximizing_weights;
  std::function<ConjugateCurvature(ConstSpan q, ConstSpan d)> curvature;
};

/// A loop over pairs of samples. Pairs are selected by the second-order model of the dual (as by
/// Fan, Chen and Lin for one kernel, with the curvature of sigma), and the step is a root of the
/// derivative. With the weights that maximise sigma(q/2) the outer gap is zero, so the total gap is
/// that of the SVM.
///
/// A step costs two rows of every kernel, n M numbers each. Keeps K_m a, the diagonals and at least
/// two such rows, 4 n M numbers; further rows are cached within 512 MiB and the memory budget.
/// \param start  weights of D, for the certificate at a = 0
/// \throws ResourceError if the memory budget is below 4 n M numbers
void smo_mkl(Vector start, const SmoothSupport& support, Objective& run);

struct PairUpdates {
  static constexpr const char* name = "smo-mkl";
  static constexpr const char* needs = "a penalty that makes the dual smooth, with its curvature";
  template <typename R>
  static constexpr bool takes = HasMaximizingWeights<R>&& HasConjugateCurvature<R>;
  static constexpr const char* needs_of_loss = "a loss of piecewise linear or quadratic terms";
  template <typename L>
  static constexpr bool takes_loss = IsSeparableLoss<L>&& HasQuadraticDual<L>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    const SmoothSupport support{
        [&](ConstSpan q, MutableSpan d) { regularizer.maximizing_weights(q, d); },
        [&](ConstSpan q, ConstSpan d) { return regularizer.conjugate_curvature(q, d); }};
    smo_mkl(regularizer.initial_weights(run.kernels()), support, run);
  }
};

}  // namespace kernmix
