#pragma once
/// \file
/// UFO-MKL: stochastic dual averaging, one sample at a time.
///
///   theta <- theta - n dC_i loss(y_i, z_i) phi(x_i),    f = grad Omega*(theta / t)
///
/// Orabona and Luo, ICML 2011, algorithm 1; docs/reference/solvers/ufo.md.

#include <functional>

#include "loss/any.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The weights of D that attain sigma(q/2): d_m K_m a are the blocks of grad Omega*(sum_i a_i
/// phi(x_i)).
using WeightRule = std::function<void(ConstSpan q, MutableSpan d)>;

/// Passes over the samples in random order without replacement. After t steps theta / t corresponds
/// to the dual vector a = (n / t) sum of -dC_i loss e_i; at the end of an epoch all samples were
/// drawn equally often, so a is feasible and gives a certificate. No bias.
///
/// One step needs one row of every kernel, n M entries; rows are cached within the memory budget.
/// \param start  weights of D, for the certificate at a = 0
/// \throws ResourceError if two such rows exceed the memory budget
void ufo(Vector start, const WeightRule& maximizing_weights, Objective& run);

struct DualAveraging {
  static constexpr const char* name = "ufo";
  static constexpr const char* needs = "a strongly convex block norm with weights from its dual";
  template <typename R>
  static constexpr bool takes = IsStronglyConvex<R>&& HasMaximizingWeights<R>;
  static constexpr const char* needs_of_loss =
      "a loss that is a sum over samples, of bounded slope";
  template <typename L>
  static constexpr bool takes_loss = IsSeparableLoss<L>&& HasBoundedSlope<L>;
  static constexpr Bias needs_bias = Bias::none;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    const auto weights = [&](ConstSpan q, MutableSpan d) { regularizer.maximizing_weights(q, d); };
    ufo(regularizer.initial_weights(run.kernels()), weights, run);
  }
};

}  // namespace kernmix
