#include "bank/packed/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "bank/checks.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/packed/tiles.hpp"
#include "bank/plan.hpp"
#include "bank/reference/source_rows.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"
#include "kernel/alike.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

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

/// Dense kernels that are made from the same comparison of samples.
using AlikeKernels = std::vector<Index>;

/// Stores one tile of the lower triangle of kernel k, of which `row(r)` are the rows.
/// \param seen  raised to the largest magnitude \returns the first entry that cannot be stored
template <typename T, typename Row>
std::optional<BadEntry> store_tile(const Row& row, const Tile& tile, Index k, Packed<T>& packed,
                                   double& seen) {
  constexpr double largest = std::numeric_limits<T>::max();
  for (Index i = tile.row_begin; i < tile.row_end; ++i) {
    const double* entries = row(i - tile.row_begin);
    const Index count = std::min(tile.col_end, i + 1) - tile.col_begin;
    if (count <= 0) continue;
    const double most = simd::round_to(entries, packed.row(i) + tile.col_begin, count);
    if (most <= largest) {
      seen = std::max(seen, most);
      continue;
    }
    const auto* bad = std::find_if(entries, entries + count,
                                   [](double value) { return !(std::abs(value) <= largest); });
    return BadEntry{k, i, tile.col_begin + (bad - entries), *bad};
  }
  return std::nullopt;
}

/// Evaluates and stores one tile of kernels that are alike: samples are compared once.
template <typename T>
std::optional<BadEntry> pack_tile(const BankOrder& order, const AlikeKernels& kernels,
                                  std::span<const Index> samples, const Tile& tile,
                                  std::vector<PackedKernel>& built) {
  const auto rows = slice(samples, tile.row_begin, tile.row_end);
  const auto cols = slice(samples, tile.col_begin, tile.col_end);
  const auto packed = [&](Index k) -> Packed<T>& {
    return std::get<Packed<T>>(built[static_cast<std::size_t>(k)]);
  };
  const KernelSource& first = order.source(kernels.front());
  double seen = 0.0;
  if (const auto stored = first.stored(); stored && stored->scale == 1.0) {
    const SourceRows K(first, rows, cols);
    const auto row = [&](Index r) { return K[r]; };
    return store_tile(row, tile, kernels.front(), packed(kernels.front()), seen);
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
    if (const auto bad = store_tile(row, tile, k, packed(k), seen)) return bad;
  }
  return std::nullopt;
}

/// Two windows on a matrix, K[I, J] and K[J, I], that a thread looks through.
struct Windows {
  Vector lower, upper;
};

/// As many as are in use at once.
class WindowBuffers {
 public:
  std::unique_ptr<Windows> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Windows>();
    auto windows = std::move(free_.back());
    free_.pop_back();
    return windows;
  }
  void give_back(std::unique_ptr<Windows> windows) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(windows));
  }

 private:
  std::mutex mutex_;  // guards free_
  std::vector<std::unique_ptr<Windows>> free_;
};

/// What is found in a window on kernel k, and in its mirror image, while it is stored.
struct WindowCheck {
  Symmetry symmetry;
  std::optional<BadEntry> bad;
};

template <typename T>
WindowCheck pack_window(const BankOrder& order, Index k, std::span<const Index> samples,
                        const Tile& tile, Windows& windows, Packed<T>& packed) {
  const auto rows = slice(samples, tile.row_begin, tile.row_end);
  const auto cols = slice(samples, tile.col_begin, tile.col_end);
  const bool on_diagonal = tile.row_begin == tile.col_begin;
  windows.lower.resize(rows.size() * cols.size());
  order.source(k).block(rows, cols, windows.lower);
  if (!on_diagonal) {
    windows.upper.resize(windows.lower.size());
    order.source(k).block(cols, rows, windows.upper);
  }
  WindowCheck looked;
  looked.symmetry = compare_mirrored(windows.lower, on_diagonal ? windows.lower : windows.upper,
                                     tile.rows(), tile.cols(), on_diagonal);
  const auto row = [&](Index r) { return windows.lower.data() + r * tile.cols(); };
  looked.bad = store_tile(row, tile, k, packed, looked.symmetry.largest);
  return looked;
}

/// Square windows on the lower triangle, of about the same size.
std::vector<Tile> square_windows(Index n, Index longest) {
  const Index count = blocks_of(n, longest);
  const auto bound = [&](Index k) { return k * n / count; };
  std::vector<Tile> windows;
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j <= i; ++j) {
      windows.push_back({bound(i), bound(i + 1), bound(j), bound(j + 1)});
    }
  }
  return windows;
}

/// Packs kernels that may not be symmetric, and looks at each entry and its mirror image on the
/// way.
template <typename T>
void pack_and_compare(const BankOrder& order, std::span<const Index> kernels,
                      std::vector<PackedKernel>& built, const Context& context) {
  constexpr Index in_first_cache = 64;
  const std::vector<Index> samples = all_samples(order.samples());
  struct Unit {
    Index kernel;
    Tile tile;
  };
  std::vector<Unit> units;
  for (const Index k : kernels) {
    const Index longest = order.source(k).read_each_time() ? longest_window : in_first_cache;
    for (const Tile& tile : square_windows(order.samples(), longest)) units.push_back({k, tile});
  }
  std::vector<WindowCheck> looked(units.size());
  WindowBuffers pool;
  parallel_for(context, length(units), [&](Index u) {
    stop_if_asked(context);
    const auto& [k, tile] = units[static_cast<std::size_t>(u)];
    auto windows = pool.take();
    looked[static_cast<std::size_t>(u)] = pack_window(
        order, k, samples, tile, *windows, std::get<Packed<T>>(built[static_cast<std::size_t>(k)]));
    pool.give_back(std::move(windows));
  });
  for (std::size_t u = 0; u < units.size();) {
    const Index k = units[u].kernel;
    Symmetry symmetry;
    const BadEntry* bad = nullptr;
    for (; u < units.size() && units[u].kernel == k; ++u) {
      symmetry.add(looked[u].symmetry);
      if (bad == nullptr && looked[u].bad) bad = &*looked[u].bad;
    }
    if (!symmetry.holds()) check_symmetric(order.source(k), order.name(k), context);
    if (bad != nullptr) refuse(order.name(k), *bad);
  }
}

template <typename T>
void pack_in(const BankOrder& order, std::span<const Index> dense, std::vector<PackedKernel>& built,
             const Context& context) {
  const std::vector<Index> samples = all_samples(order.samples());
  const std::vector<Tile> tiles = lower_tiles(order.samples());
  std::vector<Index> symmetric;
  std::vector<Index> others;
  for (const Index k : dense) {
    (may_be_asymmetric(order.source(k)) ? others : symmetric).push_back(k);
  }
  const std::vector<AlikeKernels> all =
      alike(symmetric, [&](Index k) -> const KernelSource& { return order.source(k); });
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
  pack_and_compare<T>(order, others, built, context);
}

}  // namespace

void pack(const BankOrder& order, std::span<const Index> dense, std::vector<PackedKernel>& built,
          const Context& context) {
  if (order.options.double_precision) return pack_in<double>(order, dense, built, context);
  pack_in<float>(order, dense, built, context);
}

}  // namespace kernmix
