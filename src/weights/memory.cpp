#include "weights/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/bank/triangle_cache.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "svm/factor_choice.hpp"
#include "svm/newton/conjugate_gradients.hpp"
#include "svm/newton/factor_system.hpp"
#include "weights/curvature.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// Most solves need fewer iterations than this.
constexpr Index kIterations = 50;

/// The numbers in the history: dual vectors and weights of snapshots, plus the weights of each
/// iteration.
Index numbers_of_history(const TasksShape& shape) {
  return shape.moments * (shape.rows + shape.kernels) + kIterations * shape.kernels;
}

/// The number of kernels in the weight model of the outer steps.
Index modelled_kernels(const Regularizer& regularizer, Index M) {
  return WeightRules(regularizer).most_in_model(M);
}

/// Whether the only bound on each a_i is 0, in both classes.
bool has_no_box(const Loss& loss) {
  const Vector y = {1.0, -1.0};
  const DualSet set = dual_set(loss, Bias::none, y, Vector(2, 1.0));
  return std::isinf(set.upper[0]) && std::isinf(set.lower[1]);
}

/// The quadratic part of the dual for one sample of each class, if the loss has one.
std::optional<QuadraticTerms> dual_of_pair(const Loss& loss) {
  if (on_distances(loss)) return std::nullopt;
  const Vector y = {1.0, -1.0};
  return quadratic_terms(loss, y, Vector(2, 1.0));
}

/// Whether the dual of the loss is strictly concave. In that case there may be more free samples
/// than K(d) has columns.
bool is_curved(const Loss& loss) {
  const std::optional<QuadraticTerms> terms = dual_of_pair(loss);
  return terms && terms->diagonal[0] > 0.0;
}

/// The parts of the inner solver that outer steps may reuse.
struct InnerMemory {
  bool kernel = false;  ///< its factor of K(d), or S_F if SMO stores the matrix
  Index triangles = 0;  ///< number of cached triangles of kernels
  bool borrows = true;  ///< columns of the bank may be read where they are
};

/// The size of S_F for F free samples and of its factorisation. If the bank has a factor of K(d)
/// with `columns` columns, the factorisation uses it.
/// \param made  whether the factor for all n samples is computed only for this purpose
std::size_t whitening_bytes(Index n, Index F, std::optional<Index> columns, bool made) {
  // The rows of the factor at the free samples.
  const Index rows = F * columns.value_or(0);
  // Either the rows are orthogonalised in place, which leaves the triangles R and I + R R'. Or
  // their product S_F is formed, whose Cholesky factor is computed in place.
  const bool by_factor = columns && *columns < F;
  const Index factor = made ? n * columns.value_or(0) : 0;
  const Index beside = by_factor ? std::max(2 * *columns * *columns, factor) : F * F;
  return static_cast<std::size_t>(rows + beside) * sizeof(double);
}

/// The inner solver's representation of K(d), and the number of samples that may be free.
struct InnerShape {
  bool smooth = false;     ///< K(d) is in double precision, otherwise in single
  bool factors = false;    ///< all kernels are stored as factors
  bool on_factor = false;  ///< the solver works on the factor of K(d)
  Index columns = 0;       ///< columns of that factor, initially
  bool borrowed = false;   ///< of the bank, without a copy
  Index rank = 0;
  Index expected = 0;  ///< typical number of free samples
  Index free = 0;      ///< largest number of free samples
};

InnerShape inner_shape(const Loss& loss, Index n, const MemoryPlan& plan, const Context& context) {
  InnerShape shape;
  shape.smooth = has_smooth_dual(loss);
  shape.factors = std::ranges::all_of(plan.kernels, [](const MemoryPlan::Entry& entry) {
    return entry.kind == StorageKind::factor;
  });
  const Index most = factor_columns(plan);
  shape.on_factor = shape.factors && prefers_factor(loss, n, most, 0, plan.bank_bytes, context);
  shape.columns = shape.on_factor ? expected_columns(plan) : most;
  shape.borrowed = shape.on_factor && WeightedColumns::borrows(n, most) && stores_columns(plan);
  shape.rank = shape.factors ? std::min(n, shape.columns) : n;
  shape.expected = is_curved(loss) ? n / 2 : std::min(n / 2, shape.rank);
  shape.free = shape.smooth || has_no_box(loss) ? n : shape.expected;
  return shape;
}

/// The size of S_F in outer steps. S_F is taken from the matrix that SMO reads in single precision,
/// unless the inner solution had to be exact.
std::size_t whitening_bytes(Index n, const InnerShape& shape, const InnerMemory& inner,
                            const Context& context) {
  const std::optional<Index> columns = shape.factors ? std::optional(shape.rank) : std::nullopt;
  const bool rounded = inner.kernel && !shape.smooth && !shape.on_factor;
  const bool made = !(inner.kernel && shape.on_factor);
  if (!made && by_conjugate_gradients(shape.free, shape.columns)) {
    return std::max(conjugate_gradients_bytes(shape.columns, context),
                    whitening_bytes(n, many_rows, columns, made));
  }
  if (!rounded) return whitening_bytes(n, shape.free, columns, made);
  return std::max(static_cast<std::size_t>(shape.free * shape.free) * sizeof(float),
                  whitening_bytes(n, std::min(shape.expected, shape.free), columns, made));
}

/// The memory of newton's outer steps: the maximum over the strategies that fit into the budget. It
/// is 0 if the weights have no quadratic model.
std::size_t outer_bytes(const SolveShape& solve, const InnerShape& shape, const InnerMemory& inner,
                        const Context& context) {
  const Regularizer& regularizer = solve.regularizer;
  const bool saddle = visit([]<typename R>(const R&) { return HasSaddleWeights<R>; }, regularizer);
  const bool model =
      visit([]<typename R>(const R&) { return HasModelMinimizer<R> && !HasFixedWeights<R>; },
            regularizer);
  if (!saddle && !model) return 0;
  const Index M = length(solve.plan.kernels);
  const Index W = modelled_kernels(regularizer, M);
  const Index numbers =
      std::min(W, products_at_once) * solve.samples + (saddle ? 4 : 2) * W * shape.free;
  const Index cuts = kIterations * (solve.samples + 2 * M);
  std::size_t steps = whitening_bytes(solve.samples, shape, inner, context) +
                      static_cast<std::size_t>(numbers) * sizeof(double);
  for (const Strategy* one : kStrategies) {
    const std::size_t own = one->bytes != nullptr ? one->bytes(solve) : 0;
    if (has_room(context, solve.plan.bank_bytes + own)) steps = std::max(steps, own);
  }
  return steps + static_cast<std::size_t>(cuts) * sizeof(double);
}

/// The memory for a problem whose K(d) comes directly from the bank.
SolverMemory expected_memory(const Loss& loss, const Regularizer& regularizer, Index n,
                             const MemoryPlan& plan, const InnerMemory& inner,
                             const Context& context) {
  InnerShape shape = inner_shape(loss, n, plan, context);
  shape.borrowed = shape.borrowed && inner.borrows;
  const SolveShape solve{
      loss, regularizer, n, plan, shape.factors ? shape.rank : 0, inner.triangles, shape.on_factor};
  const std::size_t outside = outer_bytes(solve, shape, inner, context);
  if (shape.on_factor) {  // most samples are free in the first steps
    Index copied = shape.columns;
    // Once some weights are zero, few columns may be left, which few samples copy.
    if (shape.borrowed) copied = std::min(copied, WeightedColumns::many);
    if (shape.borrowed && WeightedColumns::borrows(n, 0)) copied = 0;
    return {.combined = static_cast<std::size_t>(n * copied) * sizeof(double),
            .workspace = std::max(outside, newton_direction_bytes(n, shape.columns, context)),
            .on_factor = true};
  }
  const std::size_t entry = shape.smooth ? sizeof(double) : sizeof(float);
  return {.combined = static_cast<std::size_t>(n * n) * entry,
          .workspace = std::max(outside, combination_bytes(plan, n, entry))};
}

/// The number of kernels stored as factors from which K(d) in single precision is combined
/// repeatedly.
Index reusable_triangles(const Loss& loss, const Regularizer& regularizer, Index n,
                         const MemoryPlan& plan) {
  const bool fixed = visit([]<typename R>(const R&) { return HasFixedWeights<R>; }, regularizer);
  if (fixed || has_smooth_dual(loss)) return 0;
  const auto worth_one = std::ranges::count_if(plan.kernels, [](const MemoryPlan::Entry& entry) {
    return entry.kind == StorageKind::factor && entry.rank >= TriangleCache::columns_of_a_triangle;
  });
  return TriangleCache::expected(n, worth_one);
}

}  // namespace

SolverMemory expected_solver_memory(const Loss& loss, const Regularizer& regularizer, Index n,
                                    const MemoryPlan& plan, const Context& context) {
  SolverMemory memory = expected_memory(loss, regularizer, n, plan, {true, 0}, context);
  const Index count = memory.on_factor ? 0 : reusable_triangles(loss, regularizer, n, plan);
  if (count == 0) return memory;
  // If the inner solver caches these triangles, interior point steps need no copies of them.
  const std::size_t beside =
      expected_memory(loss, regularizer, n, plan, {true, count}, context).workspace;
  memory.triangles =
      static_cast<std::size_t>(count) * packed_bytes(n, false) - (memory.workspace - beside);
  return memory;
}

std::size_t kept_answer_bytes(const TasksShape& shape) {
  return static_cast<std::size_t>(2 * shape.rows + 3 * shape.tasks * shape.kernels) *
         sizeof(double);
}

SolverMemory expected_shared_memory(const TasksShape& shape, const Loss& loss,
                                    const Regularizer& regularizer, const MemoryPlan& plan,
                                    const Context& context) {
  const bool borrows = shape.rows == shape.tasks * shape.samples;  // tasks of all samples
  const SolverMemory one =
      expected_memory(loss, regularizer, shape.samples, plan, {false, 0, borrows}, context);
  const auto at_once = static_cast<std::size_t>(std::min<Index>(shape.tasks, context.workers()));
  const auto entries = static_cast<std::size_t>(shape.samples * shape.samples);
  const std::size_t common =
      one.on_factor ? one.combined : entries * (sizeof(double) + sizeof(float));
  const Index factors = std::min(most_factor_entries, shape.tasks * shape.samples * shape.samples);
  const Index numbers = factors + 16 * shape.rows + 10 * shape.tasks * shape.samples +
                        3 * shape.tasks * shape.kernels + numbers_of_history(shape);
  const Index count =
      one.on_factor ? 0 : reusable_triangles(loss, regularizer, shape.samples, plan);
  return {.combined = common + at_once * one.combined,
          .workspace = at_once * one.workspace + static_cast<std::size_t>(numbers) * sizeof(double),
          .triangles = static_cast<std::size_t>(count) * packed_bytes(shape.samples, false)};
}

SolverMemory expected_joint_memory(const TasksShape& shape, const Regularizer& regularizer) {
  const Index n = shape.samples;
  const Index K = shape.tasks;
  const Index W = modelled_kernels(regularizer, shape.kernels);
  const Index F = std::min((K - 1) * n, 9 * n / 4);
  const Index numbers =
      2 * F * F + 3 * W * F + 26 * n * K + 3 * K * shape.kernels + numbers_of_history(shape);
  return {static_cast<std::size_t>(n * n) * sizeof(double),
          static_cast<std::size_t>(numbers) * sizeof(double)};
}

void require_room(const KernelBank& bank, std::size_t bytes, const std::string& what,
                  const Context& context) {
  if (has_room(context, bank.bytes() + bytes)) return;
  throw ResourceError(fmt::format(
      "{}: {} in addition to the {} of the kernels exceed the memory budget of {} (--memory)", what,
      memory_text(bytes), memory_text(bank.bytes()), memory_text(context.memory_bytes)));
}

}  // namespace kernmix
