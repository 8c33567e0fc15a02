#include "svm/recurring_kernels.hpp"

#include <algorithm>

#include "bank/packed/tiles.hpp"

namespace kernmix {
namespace {

/// The same kernels come again where weights are sparse, and hardly more than so many.
constexpr Index kKernels = 64;
/// So many triangles of 600 samples, 46 MiB: of more samples the ranks hardly grow, while triangles
/// leave the cache.
constexpr Index kMostEntries = 12'000'000;
constexpr Index kNowhere = -1;

/// As many as fit, or none where those of the kernels that may come again do not.
[[nodiscard]] Index most_triangles(Index samples) {
  const Index fit = kMostEntries / packed_size(samples);
  return fit >= kKernels ? fit : 0;
}

}  // namespace

RecurringKernels::RecurringKernels(const KernelBank& bank)
    : bank_(bank),
      place_(static_cast<std::size_t>(bank.kernels()), kNowhere),
      triangles_(bank.samples()) {}

Index RecurringKernels::expected(Index samples, Index kernels) {
  return std::min({kernels, kKernels, most_triangles(samples)});
}

std::vector<Index> RecurringKernels::worth_a_triangle(ConstSpan d) const {
  std::vector<Index> kernels;
  Vector chosen(d.size(), 0.0);
  for (std::size_t m = 0; m < d.size(); ++m) {
    const auto kernel = static_cast<Index>(m);
    if (d[m] == 0.0 || place_[m] != kNowhere) continue;
    if (bank_.columns_to_combine(kernel) < columns_of_a_triangle) continue;
    kernels.push_back(kernel);
    chosen[m] = 1.0;
  }
  // Kernels of one family have their columns in common: many of them are combined as one.
  const Index columns = kernels.empty() ? 0 : bank_.factor_columns(chosen);
  if (columns < columns_of_a_triangle * length(kernels)) kernels.clear();
  return kernels;
}

bool RecurringKernels::has_room(Index more, const Context& context) const {
  constexpr Index kOthers = 8;  // matrices that solving takes: K(d), and the model of an outer step
  const Index n = bank_.samples();
  const Index count = triangles_.kernels() + more;
  if (count > most_triangles(n)) return false;
  const auto entries = static_cast<std::size_t>(count * packed_size(n) + kOthers * n * n);
  return context.memory_bytes == 0 ||
         bank_.bytes() + entries * sizeof(float) <= context.memory_bytes;
}

const Packed<float>* RecurringKernels::find(Index m) const {
  const Index place = place_[static_cast<std::size_t>(m)];
  return place == kNowhere ? nullptr : &triangles_.matrix(place);
}

void RecurringKernels::add(Index m, const Packed<float>& triangle, const Context& context) {
  if (find(m) != nullptr || bank_.columns_to_combine(m) < columns_of_a_triangle) return;
  if (!has_room(1, context)) return;
  place_[static_cast<std::size_t>(m)] = triangles_.kernels();
  triangles_.append(triangle);
}

void RecurringKernels::make(const std::vector<Index>& kernels, const Context& context) {
  if (kernels.empty() || !has_room(length(kernels), context)) return;
  const Index n = bank_.samples();
  std::vector<Packed<float>> triangles = Packed<float>::several(n, length(kernels));
  std::vector<std::span<float>> out;
  for (const Packed<float>& triangle : triangles) {
    out.emplace_back(triangle.values.get(), static_cast<std::size_t>(packed_size(n)));
  }
  bank_.triangles(kernels, out, context);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    place_[static_cast<std::size_t>(kernels[k])] = triangles_.kernels();
    triangles_.append(std::move(triangles[k]));
  }
}

void RecurringKernels::combine(ConstSpan d, std::span<float> out, const Context& context) {
  if (recurring_ && has_room(1, context)) make(worth_a_triangle(d), context);
  recurring_ = true;
  std::vector<Term> terms;
  Vector others(d.begin(), d.end());
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (d[m] == 0.0 || place_[m] == kNowhere) continue;
    terms.push_back({place_[m], d[m]});
    others[m] = 0.0;
  }
  const bool all = std::ranges::all_of(others, [](double weight) { return weight == 0.0; });
  if (terms.empty() || !all) bank_.combine(others, out, context);
  if (terms.empty()) return;
  const Index n = bank_.samples();
  fill_symmetric(n, out, context, [&](const Tile& tile, MutableSpan sum) {
    for (Index i = tile.row_begin; i < tile.row_end && !all; ++i) {
      const Index count = std::clamp<Index>(i + 1 - tile.col_begin, 0, tile.cols());
      std::copy_n(out.data() + i * n + tile.col_begin, count,
                  sum.data() + (i - tile.row_begin) * tile.cols());
    }
    triangles_.add_tile(terms, tile, sum);
  });
}

}  // namespace kernmix
