#include "weights/strategies/joint_steps.hpp"

#include <algorithm>

#include "weights/strategies/cut_program.hpp"
#include "weights/strategies/joint_barrier.hpp"

namespace kernmix {
namespace {

/// Offers a dual vector as proof: of the iterate, rounded, where that will do. Its zeros make the
/// certificate cheap.
void prove_rounded(Objective& run, Vector a) {
  make_feasible(run.dual_set(), a);
  const double bound = certify_dual_values(run.problem(), a, run.forms(a));
  run.raise_lower_bound(std::move(a), bound);
}

}  // namespace

bool joint_steps_affordable(Index n, Index M) {
  constexpr Index kSamples = 2000;
  constexpr Index kEntries = 4'000'000;  // of K_m a for all kernels
  return n <= kSamples && M * n <= kEntries;
}

bool joint_steps_worthwhile(const Loss& loss, Index n, Index M) {
  constexpr Index kSamples = 400;
  constexpr Index kSamplesPerKernel = 16;
  return !has_smooth_dual(loss) && n <= kSamples && n <= kSamplesPerKernel * M;
}

std::size_t joint_steps_bytes(Index n, Index W, Index dense, Index known) {
  const Index factors = W - dense;
  const Index triangles = std::max<Index>(factors - known, 0) * packed_size(n);
  // Beside triangles, factors: of rank n / 16 in the mean.
  const Index singles = KernelTriangles::fit(n, W) ? triangles + factors * (n * n / 16) : n * n;
  constexpr Index kPacked = 2 * 256;  // columns of two operands, by OpenBLAS
  const Index doubles = n * n + (2 * W + kPacked) * n;
  return static_cast<std::size_t>(doubles) * sizeof(double) +
         static_cast<std::size_t>(singles) * sizeof(float);
}

bool joint_steps_fit(const Objective& run, double upper_bound) {
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

void joint_steps(double upper_bound, Objective& run, const Point& start) {
  constexpr int kSteps = 80;
  constexpr double kShare = 0.5;
  constexpr double kReduction = 0.1;
  constexpr double kPricedAgain = 0.3;
  constexpr int kCloser = 2;
  if (!joint_steps_fit(run, upper_bound)) return;
  JointBarrier barrier(run, start, upper_bound);
  double target = kShare * run.tolerance();
  double priced = barrier.complementarity();
  for (int k = 0; k < kSteps && !run.finished() && barrier.step(); ++k) {
    const double wanted = target * std::abs(barrier.value());
    const double open = barrier.complementarity();
    if (open > kPricedAgain * priced && open > wanted) continue;
    priced = open;
    barrier.shrink();
    const JointPoint point = barrier.price();
    const bool proven = point.certificate.relative_gap() <= run.tolerance();
    const bool close = open <= wanted && point.certificate.dual >= barrier.value() - wanted;
    if (!proven && !close) continue;
    Vector rounded = barrier.rounded_dual();
    run.start_from(rounded);
    run.set_expected_gap(point.certificate.dual, target);
    run.evaluate(point.d, "interior-point");
    prove_rounded(run, std::move(rounded));
    // A little closer to the optimum, rounding costs little.
    for (int more = 0; more < kCloser && !run.finished() && barrier.step(); ++more) {
      prove_rounded(run, barrier.rounded_dual());
    }
    if (!run.finished()) run.raise_lower_bound(point.a, point.certificate.dual);
    target *= kReduction;
  }
}

}  // namespace kernmix
