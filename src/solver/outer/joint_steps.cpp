#include "solver/outer/joint_steps.hpp"

#include <algorithm>

namespace kernmix {

bool joint_steps_fit(const Run& run, double upper_bound) {
  constexpr Index kSamples = 2000;
  constexpr Index kEntries = 4'000'000;  // of K_m a for all kernels
  constexpr double kInside = 1e-6;
  const Index n = run.samples();
  const Index M = run.kernels();
  const bool inside = M > 1 && upper_bound * static_cast<double>(M) > 1.0 + kInside;
  if (!inside || n > kSamples || M * n > kEntries || !quadratic_gain(run.problem())) return false;
  const Index triangles = std::min(M * packed_size(n), KernelTriangles::most_entries);
  const auto entries = static_cast<std::size_t>(2 * M * n + 3 * n * n);
  const std::size_t bytes = run.problem().bank.bytes() + entries * sizeof(double) +
                            static_cast<std::size_t>(triangles) * sizeof(float);
  const std::size_t budget = run.context().memory_bytes;
  return budget == 0 || bytes <= budget;
}

void prove_rounded(Run& run, Vector a) {
  make_feasible(run.dual_set(), a);
  const double bound = certify_dual_values(run.problem(), a, run.forms(a));
  run.prove(std::move(a), bound);
}

}  // namespace kernmix
