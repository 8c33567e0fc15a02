#include "solver/outer/joint_steps.hpp"

#include <algorithm>

namespace kernmix {

bool joint_steps_affordable(Index n, Index M) {
  constexpr Index kSamples = 2000;
  constexpr Index kEntries = 4'000'000;  // of K_m a for all kernels
  return n <= kSamples && M * n <= kEntries;
}

std::size_t joint_steps_bytes(Index n, Index W) {
  const Index singles = KernelTriangles::fit(n, W) ? W * packed_size(n) : n * n;
  const Index doubles = 2 * n * n + 2 * W * n;
  return static_cast<std::size_t>(doubles) * sizeof(double) +
         static_cast<std::size_t>(singles) * sizeof(float);
}

bool joint_steps_fit(const Run& run, double upper_bound) {
  constexpr double kInside = 1e-6;
  const Index n = run.samples();
  const Index M = run.kernels();
  const bool inside = M > 1 && upper_bound * static_cast<double>(M) > 1.0 + kInside;
  if (!inside || !joint_steps_affordable(n, M) || !quadratic_gain(run.problem())) return false;
  // Kernels may come back until their triangles are at their most.
  const Index most = std::min(M, KernelTriangles::most_entries / packed_size(n));
  const std::size_t bytes = std::max(joint_steps_bytes(n, M), joint_steps_bytes(n, most));
  const std::size_t budget = run.context().memory_bytes;
  return budget == 0 || run.problem().bank.bytes() + bytes <= budget;
}

void prove_rounded(Run& run, Vector a) {
  make_feasible(run.dual_set(), a);
  const double bound = certify_dual_values(run.problem(), a, run.forms(a));
  run.prove(std::move(a), bound);
}

}  // namespace kernmix
