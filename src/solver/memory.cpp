#include "solver/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernel/bank/plan.hpp"
#include "kernmix/error.hpp"
#include "solver/inner/factor_choice.hpp"
#include "solver/inner/recurring_kernels.hpp"
#include "solver/outer/cut_program.hpp"
#include "solver/outer/first_kernels.hpp"
#include "solver/outer/joint_steps.hpp"
#include "solver/outer/sample_part.hpp"

namespace kernmix {
namespace {

/// Newton's method looks at more kernels at once only where all may share the weight.
constexpr Index kMostInModel = 1000;
/// Kernels whose products with a are computed at the same time.
constexpr Index kAtOnce = 64;
/// Most runs are over before.
constexpr Index kIterations = 50;

/// Dual vectors and weights of moments of a run, and the weights of each iteration in its history.
Index numbers_of_history(const TasksShape& shape) {
  return shape.moments * (shape.rows + shape.kernels) + kIterations * shape.kernels;
}

/// Whether no a_i of either class has a bound other than 0.
bool has_no_box(const Loss& loss) {
  const Vector y = {1.0, -1.0};
  const DualSet set = dual_set(loss, Bias::none, y, Vector(2, 1.0));
  return std::isinf(set.upper[0]) && std::isinf(set.lower[1]);
}

/// The quadratic part of the dual for a sample of each class, where there is one.
std::optional<QuadraticTerms> dual_of_pair(const Loss& loss) {
  if (on_distances(loss)) return std::nullopt;
  const Vector y = {1.0, -1.0};
  return quadratic_terms(loss, y, Vector(2, 1.0));
}

/// Whether its dual curves: then more samples may be free than K(d) has columns.
bool is_curved(const Loss& loss) {
  const std::optional<QuadraticTerms> terms = dual_of_pair(loss);
  return terms && terms->diagonal[0] > 0.0;
}

/// What interior point steps keep, where they may be taken, while K(d) is made from a factor of
/// `rank` columns.
/// \param known  triangles that there are already
std::size_t joint_bytes(const Loss& loss, const Regularizer& regularizer, Index n, Index M,
                        Index rank, Index known) {
  const bool linear =
      std::visit([]<typename R>(const R&) { return HasLinearWeights<R>; }, regularizer);
  const bool taken =
      linear && dual_of_pair(loss) && joint_steps_affordable(n, M) && joint_steps_worthwhile(n, M);
  const std::size_t factor = static_cast<std::size_t>(n * rank) * sizeof(float);
  return taken ? joint_steps_bytes(n, std::min(M, kernels_to_begin_with), known) + factor : 0;
}

/// S_F of F free samples and what becomes of it, by a factor of K(d) of `columns` where the bank
/// has one.
std::size_t whitening_bytes(Index F, std::optional<Index> columns) {
  // The rows of a factor at free samples.
  const Index rows = F * columns.value_or(0);
  // They are made orthogonal in place and leave the triangles R and I + R R'; or they are
  // multiplied to S_F, which becomes its Cholesky factor in place.
  const bool by_factor = columns && *columns < F;
  const Index squares = by_factor ? 2 * *columns * *columns : F * F;
  return static_cast<std::size_t>(rows + squares) * sizeof(double);
}

/// What outer steps may take from the inner solver.
struct FromInner {
  bool matrix = false;  ///< S_F, where it has K(d) for SMO
  Index triangles = 0;  ///< of kernels
};

/// Of a problem whose K(d) comes from the bank as it is.
SolverMemory expected_memory(const Loss& loss, const Regularizer& regularizer, Index n,
                             const MemoryPlan& plan, const FromInner& inner) {
  const bool smooth = has_smooth_dual(loss);
  const bool model =
      std::visit([]<typename R>(const R&) { return HasModelMinimizer<R> && !HasFixedWeights<R>; },
                 regularizer);
  const bool factors = std::ranges::all_of(plan.kernels, [](const MemoryPlan::Entry& entry) {
    return entry.kind == StorageKind::factor;
  });
  const Index rank = factors ? std::min(n, factor_columns(plan)) : n;
  const std::size_t matrix = static_cast<std::size_t>(n * n) * sizeof(float);
  const std::size_t factor = static_cast<std::size_t>(n * rank) * sizeof(double);
  const bool on_factor = plan.combined_bytes < matrix;
  const Index expected = is_curved(loss) ? n / 2 : std::min(n / 2, rank);
  const Index free = smooth || has_no_box(loss) ? n : expected;
  const Index M = length(plan.kernels);
  const Index W = std::min(M, kMostInModel);
  const std::optional<Index> columns = factors ? std::optional(rank) : std::nullopt;
  // From the matrix that SMO reads in single precision, but where its answer had to be exact.
  const bool rounded = inner.matrix && !smooth && !on_factor;
  const std::size_t whitening =
      rounded ? std::max(static_cast<std::size_t>(free * free) * sizeof(float),
                         whitening_bytes(std::min(expected, free), columns))
              : whitening_bytes(free, columns);
  const Index numbers = std::min(W, kAtOnce) * n + 2 * W * free;
  const Index cuts = kIterations * (n + 2 * M);
  const std::size_t steps =
      std::max({whitening + static_cast<std::size_t>(numbers) * sizeof(double),
                joint_bytes(loss, regularizer, n, M, factors ? rank : 0, inner.triangles),
                factors ? 0 : sample_part_bytes(n, plan.bank_bytes)});
  // Newton's method has the matrix in double precision, or a factor as the model of the time says.
  const bool newton_on_factor = factors && factor_is_faster(loss, n, rank, 0);
  const std::size_t newton_combined = newton_on_factor ? 2 * factor : 2 * matrix;
  return {smooth && !on_factor ? newton_combined : plan.combined_bytes,
          model ? steps + static_cast<std::size_t>(cuts) * sizeof(double) : 0};
}

}  // namespace

SolverMemory expected_solver_memory(const Loss& loss, const Regularizer& regularizer, Index n,
                                    const MemoryPlan& plan) {
  SolverMemory memory = expected_memory(loss, regularizer, n, plan, {true, 0});
  const bool fixed =
      std::visit([]<typename R>(const R&) { return HasFixedWeights<R>; }, regularizer);
  const bool matrix = plan.combined_bytes == static_cast<std::size_t>(n * n) * sizeof(float);
  if (fixed || has_smooth_dual(loss) || !matrix) return memory;
  const auto worth_one = std::ranges::count_if(plan.kernels, [](const MemoryPlan::Entry& entry) {
    return entry.kind == StorageKind::factor &&
           entry.rank >= RecurringKernels::columns_of_a_triangle;
  });
  const Index count = RecurringKernels::expected(n, worth_one);
  // Interior point steps need none of their own where these are kept.
  const std::size_t beside = expected_memory(loss, regularizer, n, plan, {true, count}).workspace;
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
                                    int threads) {
  const SolverMemory one = expected_memory(loss, regularizer, shape.samples, plan, {});
  const auto at_once = static_cast<std::size_t>(std::min<Index>(shape.tasks, threads));
  const auto matrix = static_cast<std::size_t>(shape.samples * shape.samples) * sizeof(float);
  // The plan counts two copies of a factor: one that all tasks share is enough.
  const std::size_t common = plan.combined_bytes < matrix ? plan.combined_bytes / 2 : 2 * matrix;
  const Index numbers = 16 * shape.rows + 10 * shape.tasks * shape.samples +
                        3 * shape.tasks * shape.kernels + numbers_of_history(shape);
  return {common + at_once * one.combined,
          at_once * one.workspace + static_cast<std::size_t>(numbers) * sizeof(double)};
}

SolverMemory expected_joint_memory(const TasksShape& shape) {
  const Index n = shape.samples;
  const Index K = shape.tasks;
  const Index W = std::min(shape.kernels, kMostInModel);
  const Index F = std::min((K - 1) * n, 9 * n / 4);
  const Index numbers =
      2 * F * F + 3 * W * F + 26 * n * K + 3 * K * shape.kernels + numbers_of_history(shape);
  return {static_cast<std::size_t>(n * n) * sizeof(double),
          static_cast<std::size_t>(numbers) * sizeof(double)};
}

void require_room(const KernelBank& bank, std::size_t bytes, const std::string& what,
                  const Context& context) {
  if (context.memory_bytes == 0 || bank.bytes() + bytes <= context.memory_bytes) return;
  const auto mebibytes = [](std::size_t count) {
    return static_cast<double>(count) / (1024.0 * 1024.0);
  };
  throw ResourceError(fmt::format(
      "{}: {:.3g} MiB beside the {:.3g} MiB of the kernels, but {:.3g} MiB in all may be used "
      "(--memory)",
      what, mebibytes(bytes), mebibytes(bank.bytes()), mebibytes(context.memory_bytes)));
}

}  // namespace kernmix
