#pragma once
/// \file
/// Generalised MKL: a kernel that is a differentiable function of its weights.
///
///   min_{d >= 0}  J(d) = r(d) + max_{a in A} { gain(a) - 1/2 a' K(d) a }
///   dJ / dd_m = r'_m(d) - 1/2 a' (dK / dd_m) a
///
/// Varma and Babu, ICML 2009, equations (2) to (5). In general J is not convex,
/// so there is no gap to the global optimum: the certificate covers the inner problem at d, and the
/// distance of d from a stationary point. A sum of kernels makes J convex; with r = lambda sum d it
/// is the regularizer l1-unsquared, which has a certificate.

#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/classical/kernel_family.hpp"
#include "kernmix/classical/weight_penalty.hpp"
#include "kernmix/context.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct GmklProblem {
  const KernelFamily& kernel;  ///< K(d)
  WeightPenalty penalty;       ///< r(d)
  Loss loss;
  Vector y;  ///< n targets, as in Problem
  Vector C;  ///< n weights of the loss, > 0
  Bias bias = Bias::free;
};

struct GmklOptions {
  double tolerance = 1e-3;  ///< on the stationarity, > 0
  Index max_iterations = 500;
  Vector start = {};  ///< M numbers >= 0, not all zero; empty: 1/M each
};

struct GmklSolution {
  Vector d;  ///< length M
  Vector a;  ///< signed dual variables at d, length n
  double bias = 0.0;
  double objective = 0.0;  ///< upper bound on J(d), by at most inner_gap
  double inner_gap = 0.0;  ///< of the inner problem at d; no bound for other d
  Vector slope;            ///< gradient of J at d
  /// The projected gradient, relative: the largest of
  ///
  ///   |slope_m| / g,   or min(slope_m / g, d_m / max d) where slope_m > 0,
  ///
  /// where g is the largest of all |r'_m| and |1/2 a' (dK/dd_m) a|, the two parts of the slopes.
  /// 0 at a stationary point.
  double stationarity = 0.0;
  Status status = Status::stalled;  ///< converged: stationarity reached the tolerance
  std::vector<double> objectives;   ///< at the start and after each step
};

/// Memory of solve_gmkl for n samples.
[[nodiscard]] std::size_t gmkl_bytes(Index n);

/// GmklSolution::stationarity of the weights d, measured with these dual variables.
/// \throws ResourceError as solve_gmkl
[[nodiscard]] double gmkl_stationarity(const KernelFamily& kernel, const WeightPenalty& penalty,
                                       const Vector& d, const Vector& a, const Context& context);

/// Projected gradients with Barzilai-Borwein steps and an Armijo rule. A local method: the answer
/// depends on the start.
/// \throws ParameterError or DataError where lengths, labels or parameters do not fit;
/// ResourceError where four matrices of n x n exceed the memory budget
[[nodiscard]] GmklSolution solve_gmkl(const GmklProblem& problem, const GmklOptions& options,
                                      const Context& context);

}  // namespace kernmix
