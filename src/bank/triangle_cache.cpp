#include "kernmix/bank/triangle_cache.hpp"

#include <algorithm>
#include <utility>

#include "bank/packed/packed.hpp"
#include "bank/packed/tiles.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

/// The same kernels come again where weights are sparse, and hardly more than so many.
constexpr Index kKernels = 64;
/// So many triangles of 600 samples, 46 MiB: of more samples the ranks hardly grow, while triangles
/// leave the cache.
constexpr Index kMostEntries = 12'000'000;

/// As many as fit, or none where those of the kernels that may come again do not.
[[nodiscard]] Index most_triangles(Index samples) {
  const Index fit = kMostEntries / packed_size(samples);
  return fit >= kKernels ? fit : 0;
}

Vector weights_of_one(Index kernels, Index m) {
  Vector d(static_cast<std::size_t>(kernels), 0.0);
  d[static_cast<std::size_t>(m)] = 1.0;
  return d;
}

}  // namespace

TriangleCache::TriangleCache(const KernelBank& bank)
    : bank_(bank), kept_(static_cast<std::size_t>(bank.kernels())) {}

Index TriangleCache::expected(Index samples, Index kernels) {
  return std::min({kernels, kKernels, most_triangles(samples)});
}

Index TriangleCache::columns(Index m) const {
  return bank_.combined(weights_of_one(bank_.kernels(), m))->columns();
}

std::vector<Index> TriangleCache::worth_a_triangle(ConstSpan d) const {
  std::vector<Index> kernels;
  Vector chosen(d.size(), 0.0);
  for (std::size_t m = 0; m < d.size(); ++m) {
    const auto kernel = static_cast<Index>(m);
    if (d[m] == 0.0 || kept_[m] != nullptr) continue;
    if (columns(kernel) < columns_of_a_triangle) continue;
    kernels.push_back(kernel);
    chosen[m] = 1.0;
  }
  // Kernels of one family have their columns in common: many of them are combined as one.
  const Index together = kernels.empty() ? 0 : bank_.combined(chosen)->columns();
  if (together < columns_of_a_triangle * length(kernels)) kernels.clear();
  return kernels;
}

bool TriangleCache::has_room(Index more, const Context& context) const {
  constexpr Index kOthers = 8;  // matrices that solving takes: K(d), and the model of an outer step
  const Index n = bank_.samples();
  if (count_ + more > most_triangles(n)) return false;
  const auto entries = static_cast<std::size_t>((count_ + more) * packed_size(n) + kOthers * n * n);
  return kernmix::has_room(context, bank_.bytes() + entries * sizeof(float));
}

std::vector<Triangle> TriangleCache::read(std::span<const Index> kernels,
                                          const Context& context) const {
  std::vector<Triangle> made(kernels.size());
  parallel_for(context, length(kernels), [&](Index task) {
    const auto k = static_cast<std::size_t>(task);
    made[k] = bank_.combined(weights_of_one(bank_.kernels(), kernels[k]))->triangle(Context());
  });
  return made;
}

void TriangleCache::keep(Index m, Triangle triangle) {
  kept_[static_cast<std::size_t>(m)] = std::move(triangle);
  ++count_;
}

std::vector<Triangle> TriangleCache::triangles(std::span<const Index> kernels,
                                               const Context& context) {
  std::vector<Index> missing;
  for (const Index m : kernels) {
    if (kept_[static_cast<std::size_t>(m)] == nullptr) missing.push_back(m);
  }
  const std::vector<Triangle> made = read(missing, context);
  std::vector<Triangle> all;
  auto next = made.begin();
  for (const Index m : kernels) {
    const Triangle& kept = kept_[static_cast<std::size_t>(m)];
    all.push_back(kept != nullptr ? kept : *next++);
  }
  for (std::size_t k = 0; k < missing.size(); ++k) {
    if (columns(missing[k]) >= columns_of_a_triangle && has_room(1, context)) {
      keep(missing[k], made[k]);
    }
  }
  return all;
}

void TriangleCache::combine(ConstSpan d, std::span<float> out, const Context& context) {
  if (recurring_ && has_room(1, context)) {
    const std::vector<Index> kernels = worth_a_triangle(d);
    if (has_room(length(kernels), context)) {
      std::vector<Triangle> made = read(kernels, context);
      for (std::size_t k = 0; k < made.size(); ++k) keep(kernels[k], std::move(made[k]));
    }
  }
  recurring_ = true;
  const Index n = bank_.samples();
  PackedStack<float> stack(n);
  std::vector<Term> terms;
  Vector others(d.begin(), d.end());
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (d[m] == 0.0 || kept_[m] == nullptr) continue;
    terms.push_back({stack.kernels(), d[m]});
    stack.append({n, std::const_pointer_cast<float[]>(kept_[m])});
    others[m] = 0.0;
  }
  const bool all = std::ranges::all_of(others, [](double weight) { return weight == 0.0; });
  if (terms.empty() || !all) bank_.combined(others)->matrix(all_samples(n), out, context);
  if (terms.empty()) return;
  fill_symmetric(n, out, context, [&](const Tile& tile, MutableSpan sum) {
    for (Index i = tile.row_begin; i < tile.row_end && !all; ++i) {
      const Index count = std::clamp<Index>(i + 1 - tile.col_begin, 0, tile.cols());
      std::copy_n(out.data() + i * n + tile.col_begin, count,
                  sum.data() + (i - tile.row_begin) * tile.cols());
    }
    stack.add_tile(terms, tile, sum);
  });
}

void combine_triangles(std::span<const Triangle> triangles, ConstSpan d, Index n, MutableSpan out,
                       const Context& context) {
  constexpr Index sums_at_once = 4096;  // stay in the first cache while the kernels pass by
  const Index rows_per_task = std::max<Index>(sums_at_once / n, 1);
  parallel_blocks(context, n, rows_per_task, [&](Index, Index begin, Index end) {
    Vector sums(static_cast<std::size_t>(packed_size(end) - packed_size(begin)), 0.0);
    const auto rows = [&](Index k) {
      return triangles[static_cast<std::size_t>(k)].get() + packed_size(begin);
    };
    const auto weight = [&](Index k) { return d[static_cast<std::size_t>(k)]; };
    simd::add_scaled_rows<float>(length(triangles), rows, weight, sums.data(), length(sums));
    const double* sum = sums.data();
    for (Index i = begin; i < end; ++i) {
      std::copy_n(sum, i + 1, out.data() + i * n);
      sum += i + 1;
    }
  });
}

}  // namespace kernmix
