#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "blas_threads.hpp"
#include "kernel/bank/checks.hpp"
#include "kernel/bank/incomplete_cholesky.hpp"
#include "kernel/bank/plan.hpp"
#include "kernel/bank/stored_bank.hpp"
#include "kernel/bank/tiles.hpp"
#include "kernmix/error.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

using StoredKernel = std::variant<std::monostate, Packed<float>, Packed<double>, Matrix>;

/// An entry that cannot be stored.
struct BadEntry {
  Index row, col;
  double value;
};

/// Evaluates one tile of the lower triangle into `packed`.
template <typename T>
std::optional<BadEntry> pack_tile(const KernelSource& source, std::span<const Index> samples,
                                  const Tile& tile, Packed<T>& packed) {
  constexpr double largest = std::numeric_limits<T>::max();
  Matrix block(tile.rows(), tile.cols());
  source.block(samples.subspan(static_cast<std::size_t>(tile.row_begin),
                               static_cast<std::size_t>(tile.rows())),
               samples.subspan(static_cast<std::size_t>(tile.col_begin),
                               static_cast<std::size_t>(tile.cols())),
               block.values);
  for (Index i = tile.row_begin; i < tile.row_end; ++i) {
    T* row = packed.row(i);
    const Index end = std::min(tile.col_end, i + 1);
    for (Index j = tile.col_begin; j < end; ++j) {
      const double value = block(i - tile.row_begin, j - tile.col_begin);
      if (!(std::abs(value) <= largest)) return BadEntry{i, j, value};
      row[j] = static_cast<T>(value);
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& name, const BadEntry& bad) {
  if (!std::isfinite(bad.value)) refuse_entry(name, bad.row, bad.col, bad.value);
  throw DataError(fmt::format(
      "kernel '{}' has the value {} at row {}, column {}, too large for single precision: "
      "normalise the kernel",
      name, bad.value, bad.row + 1, bad.col + 1));
}

template <typename T>
Packed<T> pack(const KernelSource& source, const std::string& name, const Context& context) {
  const Index n = source.rows();
  const std::vector<Index> samples = all_samples(n);
  const std::vector<Tile> tiles = lower_tiles(n);
  Packed<T> packed(n);
  std::vector<std::optional<BadEntry>> bad(tiles.size());
  parallel_for(context, length(tiles), [&](Index t) {
    stop_if_asked(context);
    const auto at = static_cast<std::size_t>(t);
    bad[at] = pack_tile(source, samples, tiles[at], packed);
  });
  for (const std::optional<BadEntry>& entry : bad) {
    if (entry) refuse(name, *entry);
  }
  return packed;
}

/// Builds one kernel as planned; a factor that turns out longer than a packed triangle, or that
/// rounding spoils, becomes one.
StoredKernel build_kernel(const KernelSource& source, const std::string& name,
                          const BankOptions& options, StorageKind kind, const Context& context) {
  if (!source.always_psd()) {
    check_symmetric(source, name, context);
    if (options.check_psd) check_definite(source, name);
  }
  if (kind == StorageKind::factor) {
    using Outcome = Factorization::Outcome;
    const Index n = source.rows();
    Factorization found = incomplete_cholesky(source, all_samples(n), options.factor_tolerance,
                                              longest_factor(n, options.double_precision), context);
    if (found.outcome == Outcome::complete) return std::move(found.Z);
    if (found.outcome == Outcome::not_finite) {
      refuse_entry(name, found.row, found.col, std::numeric_limits<double>::quiet_NaN());
    }
    if (found.outcome == Outcome::indefinite && options.check_psd) check_definite(source, name);
  }
  if (options.double_precision) return pack<double>(source, name, context);
  return pack<float>(source, name, context);
}

/// Kernels between two reports of progress.
Index kernels_per_batch(Index n, const Context& context) {
  constexpr Index small = 2048;
  return (n < small ? 16 : 4) * std::max(context.threads, 1);
}

/// Builds kernels begin, begin + 1, ... side by side, or, where they are fewer than the threads,
/// one after the other with their rows shared out.
void build_batch(const std::vector<KernelSourcePtr>& sources, const std::vector<std::string>& names,
                 const BankOptions& options, const MemoryPlan& plan, Index begin,
                 std::vector<StoredKernel>& built, const Context& context) {
  const auto build = [&](Index k) {
    stop_if_asked(context);
    const auto m = static_cast<std::size_t>(begin + k);
    built[static_cast<std::size_t>(k)] =
        build_kernel(*sources[m], names[m], options, plan.kernels[m].kind, context);
  };
  if (length(built) >= context.threads) {
    parallel_for(context, length(built), build);
  } else {
    for (Index k = 0; k < length(built); ++k) build(k);
  }
}

void append(StoredBank& bank, StoredKernel kernel) {
  if (auto* single = std::get_if<Packed<float>>(&kernel)) bank.append(std::move(*single));
  if (auto* twice = std::get_if<Packed<double>>(&kernel)) bank.append(std::move(*twice));
  if (auto* factor = std::get_if<Matrix>(&kernel)) bank.append_factor(std::move(*factor));
}

}  // namespace

std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                       const std::vector<std::string>& names,
                                       const BankOptions& options, const Context& context) {
  return build_bank(sources, names, options, plan_bank(sources, options, context), context);
}

std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                       const std::vector<std::string>& names,
                                       const BankOptions& options, MemoryPlan plan,
                                       const Context& context) {
  const SerialBlas serial;
  if (names.size() != sources.size()) {
    throw ParameterError(fmt::format("a kernel bank needs one name per kernel, got {} for {}",
                                     names.size(), sources.size()));
  }
  require_memory(plan, context);
  const Index n = sources.front()->rows();
  const Index total = length(sources);
  const Index batch = kernels_per_batch(n, context);
  auto bank = std::make_unique<StoredBank>(n);
  for (Index begin = 0; begin < total; begin += batch) {
    std::vector<StoredKernel> built(static_cast<std::size_t>(std::min(batch, total - begin)));
    build_batch(sources, names, options, plan, begin, built, context);
    const std::size_t before = bank->bytes();
    for (StoredKernel& kernel : built) append(*bank, std::move(kernel));
    std::size_t planned = 0;
    for (std::size_t k = 0; k < built.size(); ++k) {
      planned += plan.kernels[static_cast<std::size_t>(begin) + k].bytes;
    }
    plan.bank_bytes += bank->bytes() - before;
    plan.bank_bytes -= planned;
    require_memory(plan, context);
    context.report({"kernels", begin + length(built), total, 1.0});
  }
  return bank;
}

}  // namespace kernmix
