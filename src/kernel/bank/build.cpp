#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <variant>

#include "blas_threads.hpp"
#include "kernel/bank/checks.hpp"
#include "kernel/bank/family_build.hpp"
#include "kernel/bank/family_sketch.hpp"
#include "kernel/bank/incomplete_cholesky.hpp"
#include "kernel/bank/plan.hpp"
#include "kernel/bank/simd.hpp"
#include "kernel/bank/source_rows.hpp"
#include "kernel/bank/stored_bank.hpp"
#include "kernel/bank/tiles.hpp"
#include "kernmix/error.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

using PackedKernel = std::variant<std::monostate, Packed<float>, Packed<double>>;

/// An entry that cannot be stored.
struct BadEntry {
  Index kernel;
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

/// What is to be built.
struct Order {
  const std::vector<KernelSourcePtr>& sources;
  const std::vector<std::string>& names;
  const BankOptions& options;

  [[nodiscard]] Index samples() const { return sources.front()->rows(); }
  [[nodiscard]] const KernelSource& source(Index m) const {
    return *sources[static_cast<std::size_t>(m)];
  }
  [[nodiscard]] const std::string& name(Index m) const {
    return names[static_cast<std::size_t>(m)];
  }
};

/// body(i) for i = 0 .. count-1 side by side or, where there are fewer than threads, one after the
/// other with each shared out.
template <typename Body>
void share_out(const Context& context, Index count, const Body& body) {
  if (count >= context.workers()) {
    parallel_for(context, count, body);
  } else {
    for (Index i = 0; i < count; ++i) body(i);
  }
}

/// Kernels of which it is not known that they are what a kernel must be.
std::vector<Index> doubtful_kernels(const Order& order) {
  std::vector<Index> doubtful;
  for (Index m = 0; m < length(order.sources); ++m) {
    if (!order.source(m).always_psd()) doubtful.push_back(m);
  }
  return doubtful;
}

/// Refuses those that are not, as far as some of the samples tell.
void check(const Order& order, const Context& context) {
  const std::vector<Index> doubtful = doubtful_kernels(order);
  share_out(context, length(doubtful), [&](Index k) {
    stop_if_asked(context);
    const Index m = doubtful[static_cast<std::size_t>(k)];
    // A comparison of two samples does not ask which is first.
    if (!order.source(m).comparison()) check_symmetric(order.source(m), order.name(m), context);
    if (order.options.check_psd) check_definite(order.source(m), order.name(m));
  });
}

/// Refuses those that all samples tell from kernels. One that is kept as a factor is no doubt one.
void check_stored(const Order& order, const KernelBank& bank, const Context& context) {
  if (!order.options.check_psd) return;
  Vector one(order.sources.size(), 0.0);
  for (const Index m : doubtful_kernels(order)) {
    const auto at = static_cast<std::size_t>(m);
    one[at] = 1.0;
    if (bank.factor_columns(one) < 0) {
      check_definite(bank, m, order.source(m).definite_on_differences_only(), order.name(m),
                     context);
    }
    one[at] = 0.0;
  }
}

/// The family of a sketch; factors of single kernels, as far as these are worth it, where it turns
/// out to need more bytes than triangles.
std::vector<FactorFamily> factored(const Order& order, const FamilySketch& sketch,
                                   const Context& context) {
  const Index n = order.samples();
  const Index longest = longest_factor(n, order.options.double_precision);
  std::vector<Index> numbers = sketch.kernels;
  std::ranges::stable_sort(numbers, [&](Index left, Index right) {
    return order.source(left).comparison() < order.source(right).comparison();
  });
  std::vector<const KernelSource*> kernels;
  for (const Index m : numbers) kernels.push_back(&order.source(m));
  const Index most = std::min(n, longest * length(kernels));
  std::vector<FactorFamily> result;
  if (auto family = build_family(kernels, numbers, sketch.pivots, order.options.factor_tolerance,
                                 most, context)) {
    result.push_back(std::move(*family));
    return result;
  }
  for (std::size_t k = 0; kernels.size() > 1 && k < kernels.size(); ++k) {
    if (auto alone = build_family({kernels[k]}, {numbers[k]}, {}, order.options.factor_tolerance,
                                  longest, context)) {
      result.push_back(std::move(*alone));
    }
  }
  return result;
}

/// Dense kernels that are made from the same comparison of samples.
using Alike = std::vector<Index>;

std::vector<Alike> alike(const Order& order, std::span<const Index> dense) {
  std::vector<Alike> result;
  std::map<SampleComparison, std::size_t> place;
  for (const Index k : dense) {
    const auto comparison = order.source(k).comparison();
    if (!comparison || place.try_emplace(*comparison, result.size()).second) {
      result.push_back({k});
    } else {
      result[place.at(*comparison)].push_back(k);
    }
  }
  return result;
}

/// Stores one tile of the lower triangle of kernel k, of which `row(r)` are the rows. \returns the
/// first entry that cannot be stored
template <typename T, typename Row>
std::optional<BadEntry> store_tile(const Row& row, const Tile& tile, Index k, Packed<T>& packed) {
  constexpr double largest = std::numeric_limits<T>::max();
  for (Index i = tile.row_begin; i < tile.row_end; ++i) {
    const double* entries = row(i - tile.row_begin);
    const Index count = std::min(tile.col_end, i + 1) - tile.col_begin;
    if (count <= 0) continue;
    const double most = simd::round_to(entries, packed.row(i) + tile.col_begin, count);
    if (most <= largest) continue;
    const auto* bad = std::find_if(entries, entries + count,
                                   [](double value) { return !(std::abs(value) <= largest); });
    return BadEntry{k, i, tile.col_begin + (bad - entries), *bad};
  }
  return std::nullopt;
}

/// Evaluates and stores one tile of kernels that are alike: samples are compared once.
template <typename T>
std::optional<BadEntry> pack_tile(const Order& order, const Alike& kernels,
                                  std::span<const Index> samples, const Tile& tile,
                                  std::vector<PackedKernel>& built) {
  const auto rows = samples.subspan(static_cast<std::size_t>(tile.row_begin),
                                    static_cast<std::size_t>(tile.rows()));
  const auto cols = samples.subspan(static_cast<std::size_t>(tile.col_begin),
                                    static_cast<std::size_t>(tile.cols()));
  const auto packed = [&](Index k) -> Packed<T>& {
    return std::get<Packed<T>>(built[static_cast<std::size_t>(k)]);
  };
  const KernelSource& first = order.source(kernels.front());
  if (const auto stored = first.stored(); stored && stored->scale == 1.0) {
    const SourceRows K(first, rows, cols);
    const auto row = [&](Index r) { return K[r]; };
    return store_tile(row, tile, kernels.front(), packed(kernels.front()));
  }
  Matrix compared(tile.rows(), tile.cols());
  first.compare(rows, cols, compared.values);
  Matrix copy;
  for (const Index k : kernels) {
    const bool last = k == kernels.back();
    if (!last) copy = compared;
    Matrix& entries = last ? compared : copy;
    order.source(k).finish(rows, cols, entries.values);
    const auto row = [&](Index r) { return entries.row(r).data(); };
    if (const auto bad = store_tile(row, tile, k, packed(k))) return bad;
  }
  return std::nullopt;
}

/// Packs the kernels `dense`, every tile of all that are alike for itself.
template <typename T>
void pack(const Order& order, std::span<const Index> dense, std::vector<PackedKernel>& built,
          const Context& context) {
  const std::vector<Index> samples = all_samples(order.samples());
  const std::vector<Tile> tiles = lower_tiles(order.samples());
  const std::vector<Alike> all = alike(order, dense);
  std::vector<Packed<T>> triangles = Packed<T>::several(order.samples(), length(dense));
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    built[static_cast<std::size_t>(dense[k])] = std::move(triangles[k]);
  }
  std::vector<std::optional<BadEntry>> bad(all.size() * tiles.size());
  parallel_for(context, length(bad), [&](Index unit) {
    stop_if_asked(context);
    const auto a = static_cast<std::size_t>(unit / length(tiles));
    const auto t = static_cast<std::size_t>(unit % length(tiles));
    bad[static_cast<std::size_t>(unit)] = pack_tile<T>(order, all[a], samples, tiles[t], built);
  });
  const auto first = std::ranges::find_if(bad, [](const auto& found) { return found.has_value(); });
  if (first != bad.end()) refuse(order.name((*first)->kernel), **first);
}

/// Kernels between two reports of progress.
Index kernels_per_batch(Index n, const Context& context) {
  constexpr Index small = 2048;
  return (n < small ? 16 : 4) * context.workers();
}

/// A bank that grows, and how far it is from the plan.
class Building {
 public:
  Building(const Order& order, MemoryPlan plan, const Context& context)
      : order_(order),
        plan_(std::move(plan)),
        context_(context),
        bank_(std::make_unique<StoredBank>(order.samples(), length(order.sources))) {}

  /// All families. \returns the kernels that are in none
  std::vector<Index> keep_families();
  void keep_dense(std::span<const Index> kernels);
  std::unique_ptr<KernelBank> finished() { return std::move(bank_); }

 private:
  /// Tells how many kernels are kept, and checks that the bank is still within the memory.
  void account(const std::vector<Index>& kernels, std::size_t bytes_before);

  const Order& order_;
  MemoryPlan plan_;
  const Context& context_;
  std::unique_ptr<StoredBank> bank_;
  Index done_ = 0;
};

void Building::account(const std::vector<Index>& kernels, std::size_t bytes_before) {
  std::size_t planned = 0;
  for (const Index m : kernels) planned += plan_.kernels[static_cast<std::size_t>(m)].bytes;
  plan_.bank_bytes += bank_->bytes() - bytes_before;
  plan_.bank_bytes -= planned;
  require_memory(plan_, context_);
  done_ += length(kernels);
  if (!kernels.empty()) context_.report({"kernels", done_, length(order_.sources), 1.0});
}

std::vector<Index> Building::keep_families() {
  std::vector<char> kept(order_.sources.size(), 0);
  const auto& sketches = plan_.families->families;
  const Index batch = context_.workers();
  for (Index begin = 0; begin < length(sketches); begin += batch) {
    std::vector<std::vector<FactorFamily>> built(
        static_cast<std::size_t>(std::min(batch, length(sketches) - begin)));
    const auto sketch = [&](Index k) -> const FamilySketch& {
      return sketches[static_cast<std::size_t>(begin + k)];
    };
    share_out(context_, length(built), [&](Index k) {
      stop_if_asked(context_);
      if (sketch(k).whole) return;
      built[static_cast<std::size_t>(k)] = factored(order_, sketch(k), context_);
    });
    const std::size_t before = bank_->bytes();
    std::vector<Index> kernels;
    const auto keep = [&](const FactorFamily& family) {
      bank_->keep(family, single_basis(order_.samples(), order_.options.double_precision));
      for (const Index m : family.kernels) {
        kernels.push_back(m);
        kept[static_cast<std::size_t>(m)] = 1;
      }
    };
    for (Index k = 0; k < length(built); ++k) {
      if (sketch(k).whole) keep(*sketch(k).whole);
      for (const FactorFamily& family : built[static_cast<std::size_t>(k)]) keep(family);
    }
    account(kernels, before);
  }
  std::vector<Index> dense;
  for (Index m = 0; m < length(kept); ++m) {
    if (kept[static_cast<std::size_t>(m)] == 0) dense.push_back(m);
  }
  return dense;
}

void Building::keep_dense(std::span<const Index> dense) {
  const Index batch = kernels_per_batch(order_.samples(), context_);
  std::vector<PackedKernel> built(order_.sources.size());
  for (Index begin = 0; begin < length(dense); begin += batch) {
    const auto now =
        dense.subspan(static_cast<std::size_t>(begin),
                      static_cast<std::size_t>(std::min(batch, length(dense) - begin)));
    if (order_.options.double_precision) {
      pack<double>(order_, now, built, context_);
    } else {
      pack<float>(order_, now, built, context_);
    }
    const std::size_t before = bank_->bytes();
    for (const Index m : now) {
      PackedKernel& kernel = built[static_cast<std::size_t>(m)];
      if (auto* single = std::get_if<Packed<float>>(&kernel)) bank_->keep(m, std::move(*single));
      if (auto* twice = std::get_if<Packed<double>>(&kernel)) bank_->keep(m, std::move(*twice));
      kernel = std::monostate();
    }
    account({now.begin(), now.end()}, before);
  }
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
  stop_if_asked(context);
  const Order order{sources, names, options};
  check(order, context);
  Building building(order, std::move(plan), context);
  building.keep_dense(building.keep_families());
  std::unique_ptr<KernelBank> bank = building.finished();
  check_stored(order, *bank, context);
  return bank;
}

}  // namespace kernmix
