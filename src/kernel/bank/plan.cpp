#include "kernel/bank/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/bank/checks.hpp"
#include "kernel/bank/incomplete_cholesky.hpp"
#include "kernel/bank/packed.hpp"
#include "kernmix/error.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index sample_size = 512;
constexpr Index tile_entries = 64 * 512;

std::size_t as_bytes(Index entries, std::size_t entry_size) {
  return static_cast<std::size_t>(entries) * entry_size;
}

/// True where a small sample shows that the kernel is of (nearly) full rank there.
bool looks_full(const KernelSource& source, const BankOptions& options, Index most_rank,
                const Context& context) {
  const Index n = source.rows();
  const Index size = std::clamp<Index>(most_rank / 2, 64, sample_size / 2);
  if (size >= n) return false;
  const Factorization pilot = incomplete_cholesky(
      source, spaced_samples(n, size), options.factor_tolerance, size - size / 8, context);
  return pilot.outcome != Factorization::Outcome::complete;
}

/// The expected rank, or n where no useful bound was found.
Index expected_rank(const KernelSource& source, const BankOptions& options, Index most_rank,
                    const Context& context) {
  const Index n = source.rows();
  const Index bound = std::min(source.rank_bound(), n);
  if (looks_full(source, options, most_rank, context)) return bound;
  const Index size = std::min(n, sample_size);
  const Index longest = size == n ? most_rank : std::min(most_rank, size / 2);
  const Factorization sample = incomplete_cholesky(source, spaced_samples(n, size),
                                                   options.factor_tolerance, longest, context);
  if (sample.outcome != Factorization::Outcome::complete) return bound;
  if (size == n) return sample.rank;
  return std::min(bound, sample.rank + sample.rank / 4 + 2);
}

MemoryPlan::Entry plan_kernel(const KernelSource& source, const BankOptions& options,
                              const Context& context) {
  const Index n = source.rows();
  const std::size_t packed = packed_bytes(n, options.double_precision);
  const StorageKind dense =
      options.double_precision ? StorageKind::packed64 : StorageKind::packed32;
  // The residual of an incomplete factorisation is small only where K is known to be semidefinite.
  const bool known = source.always_psd() || options.check_psd;
  if (!known || source.definite_on_differences_only()) return {dense, 0, packed};
  const Index most_rank = longest_factor(n, options.double_precision);
  const Index rank = expected_rank(source, options, most_rank, context);
  if (rank > most_rank) return {dense, 0, packed};
  return {StorageKind::factor, rank, as_bytes(n * rank, sizeof(double))};
}

/// The largest of: partial sums of products, the columns of factors that grow at the same time, the
/// factors of a combination in single precision; and tiles on every thread. (What a shrunken SMO
/// copies of K(d) is reserved, but few of its rows are touched.)
std::size_t workspace(const MemoryPlan& plan, Index n, const Context& context) {
  Index longest = 0;
  Index ranks = 0;
  for (const MemoryPlan::Entry& entry : plan.kernels) {
    longest = std::max(longest, entry.rank);
    ranks += entry.rank;
  }
  const Index threads = std::max(context.threads, 1);
  const std::size_t products = as_bytes((length(packed_row_bounds(n)) - 1) * n, sizeof(double));
  const std::size_t growing = as_bytes(threads * n * longest, sizeof(double));
  const std::size_t combination = as_bytes(n * ranks, sizeof(float));
  return std::max({products, growing, combination}) +
         as_bytes(2 * threads * tile_entries, sizeof(double));
}

std::string gib(std::size_t bytes) {
  const double value = static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
  return value < 0.1 ? fmt::format("{:.3g} MiB", value * 1024.0) : fmt::format("{:.2f} GiB", value);
}

}  // namespace

std::size_t packed_bytes(Index n, bool double_precision) {
  return as_bytes(packed_size(n), double_precision ? sizeof(double) : sizeof(float));
}

Index longest_factor(Index n, bool double_precision) {
  return (static_cast<Index>(packed_bytes(n, double_precision)) - 1) /
         (n * static_cast<Index>(sizeof(double)));
}

MemoryPlan plan_bank(const std::vector<KernelSourcePtr>& sources, const BankOptions& options,
                     const Context& context) {
  check_sources(sources);
  MemoryPlan plan;
  plan.kernels.resize(sources.size());
  parallel_for(context, length(sources), [&](Index m) {
    stop_if_asked(context);
    const auto at = static_cast<std::size_t>(m);
    plan.kernels[at] = plan_kernel(*sources[at], options, context);
  });
  for (const MemoryPlan::Entry& entry : plan.kernels) plan.bank_bytes += entry.bytes;
  const Index n = sources.front()->rows();
  plan.combined_bytes = as_bytes(n * n, sizeof(float));
  plan.workspace_bytes = workspace(plan, n, context);
  return plan;
}

void require_memory(const MemoryPlan& plan, const Context& context) {
  if (context.memory_bytes == 0 || plan.total() <= context.memory_bytes) return;
  std::size_t dense = 0;
  for (const MemoryPlan::Entry& entry : plan.kernels) {
    dense += entry.kind == StorageKind::factor ? 0 : 1;
  }
  const std::size_t fixed = plan.data_bytes + plan.combined_bytes + plan.workspace_bytes;
  std::size_t used = fixed;
  std::size_t fitting = 0;
  while (fitting < plan.kernels.size() &&
         used + plan.kernels[fitting].bytes <= context.memory_bytes) {
    used += plan.kernels[fitting++].bytes;
  }
  const std::string room =
      fixed > context.memory_bytes
          ? std::string("not even the combined kernel fits")
          : fmt::format("the first {} of {} kernels fit", fitting, plan.kernels.size());
  throw ResourceError(fmt::format(
      "the computation needs {} of memory but may use {} (--memory): {} for {} dense and {} "
      "low-rank kernels, {} for the data, {} for the combined kernel, {} of workspace; {}: use "
      "fewer kernels or samples, kernels of lower rank (single columns), or allow more memory",
      gib(plan.total()), gib(context.memory_bytes), gib(plan.bank_bytes), dense,
      plan.kernels.size() - dense, gib(plan.data_bytes), gib(plan.combined_bytes),
      gib(plan.workspace_bytes), room));
}

void check_sources(const std::vector<KernelSourcePtr>& sources) {
  if (sources.empty()) throw ParameterError("a kernel bank needs at least one kernel");
  const Index n = sources.front()->rows();
  if (n < 1) throw DataError("a kernel bank needs at least one sample");
  for (std::size_t m = 0; m < sources.size(); ++m) {
    if (sources[m]->rows() == n && sources[m]->cols() == n) continue;
    throw DataError(fmt::format(
        "the kernels of a bank must be square and of one size: number {} is {} x {}, the first has "
        "{} rows",
        m + 1, sources[m]->rows(), sources[m]->cols(), n));
  }
}

}  // namespace kernmix
