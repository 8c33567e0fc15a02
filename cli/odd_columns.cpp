#include "odd_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "data/file.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

/// The different numbers of a column in ascending order, and how often each occurs.
using Counts = std::vector<std::pair<double, Index>>;

Counts counts_of(const Table& table, Index j) {
  Vector values;
  for (Index i = 0; i < table.samples(); ++i) {
    const double value = table.cell(i, j);
    if (!std::isnan(value)) values.push_back(value);
  }
  std::ranges::sort(values);
  Counts counts;
  for (const double value : values) {
    if (counts.empty() || counts.back().first != value) counts.emplace_back(value, 0);
    ++counts.back().second;
  }
  return counts;
}

/// Whether the number at one end is a code: an integer that occurs several times and is farther
/// from the others than they are from each other, or the only negative one.
std::optional<Sentinel> sentinel_at(const Counts& counts, bool smallest) {
  constexpr Index fewest_cells = 3;
  constexpr std::size_t fewest_numbers = 5;  // fewer are levels, not measurements
  if (counts.size() < fewest_numbers) return std::nullopt;
  const auto [value, cells] = smallest ? counts.front() : counts.back();
  const double next = smallest ? counts[1].first : counts[counts.size() - 2].first;
  const double end = smallest ? counts.back().first : counts.front().first;
  const bool apart = std::abs(next - value) > std::abs(end - next);
  const bool only_negative = smallest && value < 0.0 && next >= 0.0;
  if (cells < fewest_cells || value != std::floor(value) || !(apart || only_negative)) {
    return std::nullopt;
  }
  return Sentinel{"", value, cells, smallest};
}

}  // namespace

OddColumns odd_columns(const Table& table, const Context& context) {
  OddColumns odd;
  if (table.sparse || table.numbers().cols != length(table.columns)) return odd;
  for (Index j = 0; j < length(table.columns); ++j) {
    stop_reading_if_asked(table.source, context);
    const std::string& name = table.columns[to_size(j)];
    if (std::ranges::find(table.categories, name, &Categories::column) != table.categories.end()) {
      continue;
    }
    const Counts counts = counts_of(table, j);
    if (counts.size() == 1 && counts.front().second > 1) odd.constant.push_back(name);
    for (const bool smallest : {true, false}) {
      std::optional<Sentinel> found = sentinel_at(counts, smallest);
      if (!found) continue;
      found->column = name;
      odd.sentinels.push_back(std::move(*found));
    }
  }
  return odd;
}

std::string odd_columns_text(const OddColumns& odd) {
  constexpr std::size_t shown = 10;
  std::string text;
  if (!odd.constant.empty()) {
    text += fmt::format("\nconstant: {}: {}\n", odd.constant.size(), listed(odd.constant, shown));
  }
  if (odd.sentinels.empty()) return text;
  text += "\nnumbers that may stand for missing cells\n";
  for (std::size_t k = 0; k < std::min(shown, odd.sentinels.size()); ++k) {
    const Sentinel& one = odd.sentinels[k];
    text += fmt::format("  {}: the {} value, {} times {:g}: --na {:g} reads it as missing\n",
                        kernmix::visible(one.column, kernmix::Layout::none),
                        one.smallest ? "smallest" : "largest", one.cells, one.value, one.value);
  }
  if (odd.sentinels.size() > shown) {
    text += fmt::format("  ... {} more, which --json lists\n", odd.sentinels.size() - shown);
  }
  return text;
}

Json odd_columns_json(const OddColumns& odd) {
  Json sentinels = Json::array();
  for (const Sentinel& one : odd.sentinels) {
    sentinels.push_back({{"column", one.column}, {"value", one.value}, {"cells", one.cells}});
  }
  return {{"constant", odd.constant}, {"sentinels", std::move(sentinels)}};
}

}  // namespace kernmix::cli
