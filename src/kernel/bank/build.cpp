#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <variant>

#include "blas_threads.hpp"
#include "kernel/bank/checks.hpp"
#include "kernel/bank/incomplete_cholesky.hpp"
#include "kernel/bank/plan.hpp"
#include "kernel/bank/simd.hpp"
#include "kernel/bank/stored_bank.hpp"
#include "kernel/bank/tiles.hpp"
#include "kernmix/error.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

using StoredKernel = std::variant<std::monostate, Packed<float>, Packed<double>, Matrix>;

/// An entry that cannot be stored.
struct BadEntry {
  Index kernel;  ///< within the batch
  Index row, col;
  double value;
};

[[noreturn]] void refuse(const std::string& name, const BadEntry& bad) {
  if (!std::isfinite(bad.value)) refuse_entry(name, bad.row, bad.col, bad.value);
  throw DataError(fmt::format(
      "kernel '{}' has the value {} at row {}, column {}, too large for single precision: "
      "normalise the kernel",
      name, bad.value, bad.row + 1, bad.col + 1));
}

/// Kernels begin, begin + 1, ... of a bank, to be built side by side.
struct Batch {
  const std::vector<KernelSourcePtr>& sources;
  const std::vector<std::string>& names;
  const BankOptions& options;
  const MemoryPlan& plan;
  Index begin;

  [[nodiscard]] std::size_t number(Index k) const { return static_cast<std::size_t>(begin + k); }
  [[nodiscard]] const KernelSource& source(Index k) const { return *sources[number(k)]; }
  [[nodiscard]] const std::string& name(Index k) const { return names[number(k)]; }
};

/// The factor of kernel k where one is planned; nothing where it turns out longer than a packed
/// triangle, or where rounding spoils it.
std::optional<Matrix> factor(const Batch& batch, Index k, const Context& context) {
  using Outcome = Factorization::Outcome;
  const KernelSource& source = batch.source(k);
  const std::string& name = batch.name(k);
  if (!source.always_psd()) {
    check_symmetric(source, name, context);
    if (batch.options.check_psd) check_definite(source, name);
  }
  if (batch.plan.kernels[batch.number(k)].kind != StorageKind::factor) return std::nullopt;
  const Index n = source.rows();
  Factorization found =
      incomplete_cholesky(source, all_samples(n), batch.options.factor_tolerance,
                          longest_factor(n, batch.options.double_precision), context);
  if (found.outcome == Outcome::complete) return std::move(found.Z);
  if (found.outcome == Outcome::not_finite) {
    refuse_entry(name, found.row, found.col, std::numeric_limits<double>::quiet_NaN());
  }
  if (found.outcome == Outcome::indefinite && batch.options.check_psd) check_definite(source, name);
  return std::nullopt;
}

/// Dense kernels that are made from the same comparison of samples.
using Family = std::vector<Index>;

std::vector<Family> families(const Batch& batch, const std::vector<Index>& dense) {
  std::vector<Family> result;
  std::map<SampleComparison, std::size_t> place;
  for (const Index k : dense) {
    const auto comparison = batch.source(k).comparison();
    if (!comparison || place.try_emplace(*comparison, result.size()).second) {
      result.push_back({k});
    } else {
      result[place.at(*comparison)].push_back(k);
    }
  }
  return result;
}

/// Stores one tile of the lower triangle of kernel k. \returns the first entry that cannot be
/// stored
template <typename T>
std::optional<BadEntry> store_tile(const Matrix& block, const Tile& tile, Index k,
                                   Packed<T>& packed) {
  constexpr double largest = std::numeric_limits<T>::max();
  for (Index i = tile.row_begin; i < tile.row_end; ++i) {
    const ConstSpan entries = block.row(i - tile.row_begin);
    const Index count = std::min(tile.col_end, i + 1) - tile.col_begin;
    if (count <= 0) continue;
    const double most = simd::round_to(entries.data(), packed.row(i) + tile.col_begin, count);
    if (most <= largest) continue;
    const auto* bad = std::find_if(entries.data(), entries.data() + count,
                                   [](double value) { return !(std::abs(value) <= largest); });
    return BadEntry{k, i, tile.col_begin + (bad - entries.data()), *bad};
  }
  return std::nullopt;
}

/// Evaluates and stores one tile of all kernels of a family: samples are compared once.
template <typename T>
std::optional<BadEntry> pack_tile(const Batch& batch, const Family& family,
                                  std::span<const Index> samples, const Tile& tile,
                                  std::vector<StoredKernel>& built) {
  const auto rows = samples.subspan(static_cast<std::size_t>(tile.row_begin),
                                    static_cast<std::size_t>(tile.rows()));
  const auto cols = samples.subspan(static_cast<std::size_t>(tile.col_begin),
                                    static_cast<std::size_t>(tile.cols()));
  Matrix compared(tile.rows(), tile.cols());
  batch.source(family.front()).compare(rows, cols, compared.values);
  Matrix copy;
  for (const Index k : family) {
    const bool last = k == family.back();
    if (!last) copy = compared;
    Matrix& entries = last ? compared : copy;
    batch.source(k).finish(rows, cols, entries.values);
    const auto bad =
        store_tile(entries, tile, k, std::get<Packed<T>>(built[static_cast<std::size_t>(k)]));
    if (bad) return bad;
  }
  return std::nullopt;
}

/// Packs the kernels `dense`, every tile of every family for itself.
template <typename T>
void pack(const Batch& batch, const std::vector<Index>& dense, std::vector<StoredKernel>& built,
          const Context& context) {
  const Index n = batch.sources.front()->rows();
  const std::vector<Index> samples = all_samples(n);
  const std::vector<Tile> tiles = lower_tiles(n);
  const std::vector<Family> all = families(batch, dense);
  for (const Index k : dense) built[static_cast<std::size_t>(k)] = Packed<T>(n);
  std::vector<std::optional<BadEntry>> bad(all.size() * tiles.size());
  parallel_for(context, length(bad), [&](Index unit) {
    stop_if_asked(context);
    const auto f = static_cast<std::size_t>(unit / length(tiles));
    const auto t = static_cast<std::size_t>(unit % length(tiles));
    bad[static_cast<std::size_t>(unit)] = pack_tile<T>(batch, all[f], samples, tiles[t], built);
  });
  const auto first = std::ranges::find_if(bad, [](const auto& found) { return found.has_value(); });
  if (first != bad.end()) refuse(batch.name((*first)->kernel), **first);
}

/// Kernels between two reports of progress.
Index kernels_per_batch(Index n, const Context& context) {
  constexpr Index small = 2048;
  return (n < small ? 16 : 4) * std::max(context.threads, 1);
}

/// Factors side by side or, where there are fewer kernels than threads, one after the other with
/// their rows shared out; then the dense kernels.
void build_batch(const Batch& batch, std::vector<StoredKernel>& built, const Context& context) {
  const auto try_factor = [&](Index k) {
    stop_if_asked(context);
    if (auto Z = factor(batch, k, context)) built[static_cast<std::size_t>(k)] = std::move(*Z);
  };
  if (length(built) >= context.threads) {
    parallel_for(context, length(built), try_factor);
  } else {
    for (Index k = 0; k < length(built); ++k) try_factor(k);
  }
  std::vector<Index> dense;
  for (Index k = 0; k < length(built); ++k) {
    if (std::holds_alternative<std::monostate>(built[static_cast<std::size_t>(k)])) {
      dense.push_back(k);
    }
  }
  if (batch.options.double_precision) {
    pack<double>(batch, dense, built, context);
  } else {
    pack<float>(batch, dense, built, context);
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
    build_batch({sources, names, options, plan, begin}, built, context);
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
