#include "weights/strategies/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/memory/room.hpp"
#include "kernmix/bank/plan.hpp"
#include "weights/primal_dual/joint_barrier.hpp"
#include "weights/strategies/few_free.hpp"
#include "weights/strategies/first_kernels.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// Offers a dual vector as a proof. A rounded iterate usually suffices, and its zeros make the
/// certificate cheap.
void prove_rounded(Objective& run, Vector a) {
  make_feasible(run.dual_set(), a);
  const double bound = certify_dual_values(run.problem(), {a}, {run.forms(a)});
  run.raise_lower_bound(a, bound);
}

/// Interior point steps, used at most once, to the end of the solve.
class InteriorPointSteps final : public Steps {
 public:
  InteriorPointSteps(double upper_bound, Objective& J, const Point& first)
      : upper_bound_(upper_bound), J_(J), first_(first) {}

  /// If few samples with a_i != 0 are free, J is close to piecewise linear. Then Newton's model is
  /// accurate only in a small region, unless the optimum is near.
  [[nodiscard]] bool fits(const StepProgress& now, const Point& point) const override {
    constexpr double kVeryFar = 0.25;
    if (used_) return false;
    if (now.at_start()) return now.gap() > kVeryFar && hardly_free(point);
    if (now.newton_lost()) return now.gap() > kFar || cheaper_than_cuts(now);
    if (!now.newton_was_last() || point.free.size() <= 1) return false;
    const bool led_nowhere = now.gap() > kFar && now.gap() > 0.9 * now.before();
    return led_nowhere ? few_free(point, 1.1) : few_free(point, 4.0) && cheaper_than_cuts(now);
  }
  /// The steps take about fifteen factorisations, whose time grows faster with the number of
  /// samples than that of an SVM.
  [[nodiscard]] double svms(const StepProgress& /*now*/, const Point& /*point*/) const override {
    constexpr double kSvms = 1.25;
    constexpr double kSamples = 200.0;
    const double size = static_cast<double>(J_.samples()) / kSamples;
    return kSvms * size * size;
  }
  [[nodiscard]] bool end_alone() const override { return !used_; }
  /// Starts from the first point, which has weight on more kernels, unless the present gap is
  /// small.
  [[nodiscard]] Point step(Point point) override {
    used_ = true;
    joint_steps(upper_bound_, J_, J_.best_relative_gap() > kFar ? first_ : point);
    return point;
  }

 private:
  static constexpr double kFar = 0.1;

  /// Each SVM with cutting planes is expected to halve the gap.
  [[nodiscard]] bool cheaper_than_cuts(const StepProgress& now) const {
    return svms(now, first_) < std::log2(now.gap() / J_.tolerance());
  }

  double upper_bound_;
  Objective& J_;
  Point first_;
  bool used_ = false;
};

std::unique_ptr<Steps> interior_point_steps(const WeightRules& rules, Objective& J,
                                            const Start& start) {
  if (!J.is_single() || !rules.linear()) return nullptr;
  const bool worthwhile = joint_steps_worthwhile(J.problem().loss, J.samples(), J.kernels()) &&
                          joint_steps_fit(J, *rules.linear_bound(J.kernels()));
  if (!worthwhile) return nullptr;
  return std::make_unique<InteriorPointSteps>(*rules.linear_bound(J.kernels()), J, start.point);
}

bool has_quadratic_dual(const Loss& loss) {
  const Vector classes = {1.0, -1.0};
  return !on_distances(loss) && quadratic_terms(loss, classes, Vector(2, 1.0)).has_value();
}

/// While K(d) is combined from a factor, that factor is kept in single precision, too.
std::size_t interior_point_bytes(const SolveShape& shape) {
  const Index n = shape.samples;
  const Index M = length(shape.plan.kernels);
  const bool taken = WeightRules(shape.regularizer).linear() && has_quadratic_dual(shape.loss) &&
                     joint_steps_affordable(n, M) && joint_steps_worthwhile(shape.loss, n, M);
  if (!taken) return 0;
  const Index others = std::ranges::count_if(
      shape.plan.kernels,
      [](const MemoryPlan::Entry& entry) { return entry.kind != StorageKind::packed32; });
  const Index dense = std::max<Index>(M - others, 0);  // at least: working set is not known yet
  return joint_steps_bytes(n, M, dense, shape.triangles) +
         static_cast<std::size_t>(n * shape.factor_columns) * sizeof(float);
}

}  // namespace

bool joint_steps_affordable(Index n, Index M) {
  constexpr Index kSamples = 2000;
  constexpr Index kEntries = 4'000'000;  // entries of K_m a for all kernels
  return n <= kSamples && M * n <= kEntries;
}

bool joint_steps_worthwhile(const Loss& loss, Index n, Index M) {
  constexpr Index kSamples = 400;
  constexpr Index kSamplesPerKernel = 16;
  return !has_smooth_dual(loss) && n <= kSamples && n <= kSamplesPerKernel * M;
}

std::size_t joint_steps_bytes(Index n, Index W, Index dense, Index known) {
  const Index kept = std::min(W - dense, most_triangles(n)) - known;
  const Index triangles = std::max<Index>(kept, 0) * packed_size(n);
  const Index singles = W <= most_triangles(n) ? triangles : std::max(triangles, n * n);
  constexpr Index kPacked = 2 * 256;  // columns of two operands that OpenBLAS packs
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
  const std::size_t bytes = joint_steps_bytes(n, M);
  return has_room(run.context(), run.problem().bank.bytes() + bytes);
}

const Strategy strategy::interior_point{
    .name = "interior-point",
    .what = "joint primal-dual steps in weights and dual vector, if few samples are free",
    .bytes = interior_point_bytes,
    .steps = interior_point_steps};

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
    // Slightly closer to the optimum, rounding changes the bound little.
    for (int more = 0; more < kCloser && !run.finished() && barrier.step(); ++more) {
      prove_rounded(run, barrier.rounded_dual());
    }
    if (!run.finished()) run.raise_lower_bound(point.a, point.certificate.dual);
    target *= kReduction;
  }
}

}  // namespace kernmix
