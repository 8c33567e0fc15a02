#include "weights/strategies/part_of_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/plan.hpp"
#include "loss/any.hpp"
#include "svm/factor_choice.hpp"
#include "svm/newton/weighted_columns.hpp"
#include "weights/newton.hpp"
#include "weights/strategies/first_kernels.hpp"
#include "weights/strategies/strategies.hpp"
#include "weights/while_time_lasts.hpp"

namespace kernmix {
namespace {

/// A rough solution suffices, because the optimal weights for all samples differ from those for a
/// part anyway.
constexpr double kTolerance = 3e-3;
constexpr Index kLeastOfClass = 10;
/// Kernels whose weights a part finds on factors; of many it finds others than all samples do.
constexpr Index kMostKernelsOnFactors = 10;

/// Whether the loss is a sum over samples, so that a part of the samples estimates it up to a
/// factor.
bool sums_over_samples(const Loss& loss) {
  return visit([]<typename L>(const L&) { return IsSeparableLoss<L> && !HasOwnWeight<L>; }, loss);
}

/// Whether the part is informative: it needs samples of both classes, or any values for regression.
bool is_telling(const Loss& loss, ConstSpan y) {
  if (loss_target(loss) != Target::classes) return true;
  const auto positive = std::ranges::count_if(y, [](double value) { return value > 0.0; });
  return std::min(positive, length(y) - positive) >= kLeastOfClass;
}

struct PartOfFactors {
  Index kernels;
  Index samples;  ///< of the bank
  Index size;     ///< of the part
  Index columns;  ///< of the factor of K(d) with all kernels
  double bank_bytes;
};

/// Whether the first SVMs on the columns of all kernels take longer than the part, and the kernels
/// are few.
bool is_worthwhile(const PartOfFactors& part) {
  return part.columns > WeightedColumns::many && part.kernels <= kMostKernelsOnFactors;
}

/// Bytes of the part of a bank of factors, and of K(d) there unless its solver works on the factor:
/// beside the columns from which it is combined, a shrunken copy or its Cholesky factor.
double bytes_on_factors(const Loss& loss, const PartOfFactors& part) {
  const auto size = static_cast<double>(part.size);
  const double factors = size / static_cast<double>(part.samples) * part.bank_bytes;
  if (factor_is_faster(loss, part.size, part.columns, 0)) return factors;
  const double entry = has_smooth_dual(loss) ? sizeof(double) : sizeof(float);
  return factors + entry * size * (size + std::max(size, static_cast<double>(part.columns)));
}

/// Whether the weights of the part save more time than it takes. An SVM on the part costs |P|^2 /
/// n^2 of an SVM on all samples if the latter writes K(d), and |P| / n if it works on a factor.
bool saves_time(const Problem& problem, Index size, const Context& context) {
  const Vector equal(to_size(problem.kernels()), 1.0 / static_cast<double>(problem.kernels()));
  if (!prefers_factor(problem, equal, 0, context)) return true;
  const auto bank = static_cast<double>(problem.bank.bytes());
  const PartOfFactors part{problem.kernels(), problem.samples(), size,
                           problem.bank.combined(equal)->columns(), bank};
  return is_worthwhile(part) && has_room(context, bank + bytes_on_factors(problem.loss, part));
}

/// Solves the part silently, because progress and log messages refer to the problem on all samples.
Answer solve_part(const Problem& problem, SolverOptions options, Context context) {
  options.tolerance = std::max(options.tolerance, kTolerance);
  context.progress = nullptr;
  context.log = nullptr;
  Objective J("newton", problem, options, context);
  while_time_lasts(J, context, [&] { newton(problem.regularizer, J); });
  return J.result();
}

}  // namespace

Index size_of_part(Index n, bool dense) {
  constexpr Index kShare = 8;
  // Banks of short kernels have many noise columns, which fit few samples by chance.
  const Index least = dense ? 125 : 375;
  return n / kShare >= least ? n / kShare : n;
}

std::vector<Index> part_of_samples(ConstSpan y, Index size) {
  std::vector<Index> order = index_range(0, length(y));
  std::ranges::stable_sort(order, {}, [&](Index i) { return y[static_cast<std::size_t>(i)]; });
  std::vector<Index> part;
  for (const Index place : spread_numbers(length(order), size)) {
    part.push_back(order[static_cast<std::size_t>(place)]);
  }
  std::ranges::sort(part);
  return part;
}

namespace {

/// Without the small weights on the simplex, if few kernels have many columns: a part of the
/// samples says little of them, and each costs the columns of its kernel. Newton's steps add what
/// is missing.
Vector large_weights(const WeightRules& rules, const Problem& problem, Vector d) {
  constexpr double kSmall = 0.05;  // of the largest
  const bool simplex = rules.linear() && *rules.linear_bound(length(d)) >= 1.0;
  if (!simplex || problem.kernels() > kMostKernelsOnFactors) return d;
  if (problem.bank.combined(d)->columns() <= WeightedColumns::many) return d;
  const double least = kSmall * std::ranges::max(d);
  std::ranges::replace_if(
      d, [&](double weight) { return weight < least; }, 0.0);
  const double sum = std::accumulate(d.begin(), d.end(), 0.0);
  for (double& weight : d) weight /= sum;
  return d;
}

Vector weights_of_part(const WeightRules& rules, Objective& J) {
  const Problem& problem = J.problem();
  const Index n = J.samples();
  const Index size = size_of_part(n, J.reads_dense_kernels());
  if (!J.is_single() || size == n || J.kernels() == 1) return {};
  if (!sums_over_samples(problem.loss) || !saves_time(problem, size, J.context())) return {};
  const std::vector<Index> part = part_of_samples(problem.y(), size);
  const double more = static_cast<double>(n) / static_cast<double>(size);
  Vector y;
  Vector C;
  for (const Index i : part) {
    y.push_back(problem.y()[static_cast<std::size_t>(i)]);
    C.push_back(more * problem.C()[static_cast<std::size_t>(i)]);
  }
  if (!is_telling(problem.loss, y)) return {};
  const std::unique_ptr<KernelBank> bank = problem.bank.restricted(part, J.context());
  const Answer solution = solve_part(
      {*bank, problem.loss, problem.regularizer, std::move(y), std::move(C), problem.bias},
      J.options(), J.context());
  J.count_inner(solution.inner_iterations);
  J.context().tell(fmt::format(
      "started from the weights of {} of {} samples, with a relative gap of {:.1e} there", size, n,
      solution.certificate.relative_gap()));
  return large_weights(rules, problem, solution.d);
}

/// The size of a plan's kernels on the part of the samples, in unchanged storage formats.
std::size_t sample_part_bytes(const SolveShape& shape) {
  const Index n = shape.samples;
  const bool dense = mostly_dense(n, length(shape.plan.kernels), shape.plan.bank_bytes);
  const Index size = size_of_part(n, dense);
  if (size == n) return 0;
  if (shape.solved_on_factor) {
    const PartOfFactors part{length(shape.plan.kernels), n, size, factor_columns(shape.plan),
                             static_cast<double>(shape.plan.bank_bytes)};
    if (!is_worthwhile(part)) return 0;
    return static_cast<std::size_t>(bytes_on_factors(shape.loss, part));
  }
  const double share = static_cast<double>(size) / static_cast<double>(n);
  double bytes = 0.0;
  for (const MemoryPlan::Entry& kernel : shape.plan.kernels) {
    const bool factor = kernel.kind == StorageKind::factor;
    bytes += (factor ? share : share * share) * static_cast<double>(kernel.bytes);
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

const Strategy strategy::part_of_samples{
    .name = "part-of-samples",
    .what = "starts from the weights that solve the problem on an eighth of the samples",
    .bytes = sample_part_bytes,
    .start = weights_of_part};

}  // namespace kernmix
