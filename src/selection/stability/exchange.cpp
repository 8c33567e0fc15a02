// Exchangeability blocks: Winkler, Webster, Vidaurre, Nichols and Smith (NeuroImage 2015),
// whole-block exchange.

#include "selection/stability/exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The part, training or test, of each sample in every fold.
std::vector<std::string> sides_of(const std::vector<Fold>& folds, Index samples) {
  enum Side : char { tested, trained, absent };
  std::vector<std::string> sides(to_size(samples), std::string(folds.size(), absent));
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (const Index i : folds[f].train) sides[to_size(i)][f] = trained;
    for (const Index i : folds[f].test) sides[to_size(i)][f] = tested;
  }
  return sides;
}

/// The common part of all samples of a block; a unique name if they differ.
std::string side_of(const std::vector<std::string>& sides, const std::vector<Index>& block) {
  const std::string& first = sides[to_size(block.front())];
  const auto same = [&](Index i) { return sides[to_size(i)] == first; };
  return std::ranges::all_of(block, same) ? first : first + std::to_string(block.front());
}

/// In the order of their first samples.
std::vector<std::vector<Index>> blocks_of_samples(const std::vector<Index>& groups, Index samples) {
  std::vector<std::vector<Index>> blocks;
  std::map<Index, std::size_t> place;
  for (Index i = 0; i < samples; ++i) {
    const Index group = groups.empty() ? i : groups[to_size(i)];
    const auto [found, is_new] = place.try_emplace(group, blocks.size());
    if (is_new) blocks.emplace_back();
    blocks[found->second].push_back(i);
  }
  return blocks;
}

bool have_same_labels(const Table& table, Index i, Index j) {
  const std::size_t a = to_size(i);
  const std::size_t b = to_size(j);
  if (!table.labels.empty() && table.labels[a] != table.labels[b]) return false;
  for (Index t = 0; t < length(table.multi_labels.names); ++t) {
    if (table.multi_labels.has(i, t) != table.multi_labels.has(j, t)) return false;
  }
  return table.targets.empty() ||
         std::ranges::equal(table.targets.values.row(i), table.targets.values.row(j));
}

bool has_one_label(const Table& table, const std::vector<Index>& block) {
  return std::ranges::all_of(block,
                             [&](Index i) { return have_same_labels(table, block.front(), i); });
}

/// The labels of a block as a text: equal texts have equal labels.
std::string pattern_of(const Table& table, const std::vector<Index>& block, bool of_any_size) {
  std::string pattern;
  for (const Index i : block) {
    if (!table.labels.empty()) pattern += table.labels[to_size(i)] + '\n';
    for (Index t = 0; t < length(table.multi_labels.names); ++t) {
      pattern += table.multi_labels.has(i, t) ? '1' : '0';
    }
    if (!table.targets.empty()) {
      pattern += fmt::format("{}", fmt::join(table.targets.values.row(i), " "));
    }
    if (of_any_size) break;
    pattern += '\n';
  }
  return pattern;
}

/// Logarithm of the number of different assignments of these patterns.
double log_arrangements(const std::map<std::string, Index>& counts) {
  Index all = 0;
  double sum = 0.0;
  for (const auto& [pattern, count] : counts) {
    all += count;
    sum -= std::lgamma(static_cast<double>(count) + 1.0);
  }
  return sum + std::lgamma(static_cast<double>(all) + 1.0);
}

/// Whether each block of `within` has samples of one group only.
bool are_inside_groups(const std::vector<Index>& within, const std::vector<Index>& groups) {
  if (within.empty() || groups.empty()) return false;
  std::map<Index, Index> group_of;
  for (std::size_t i = 0; i < within.size(); ++i) {
    if (group_of.try_emplace(within[i], groups[i]).first->second != groups[i]) return false;
  }
  return true;
}

/// The block of `within` in which all samples of a group are. \throws ParameterError
Index block_of(const std::vector<Index>& within, const std::vector<Index>& group) {
  if (within.empty()) return 0;
  const Index first = within[to_size(group.front())];
  const auto other =
      std::ranges::find_if(group, [&](Index i) { return within[to_size(i)] != first; });
  if (other == group.end()) return first;
  throw ParameterError(
      fmt::format("permutations within blocks: samples {} and {} are in one group and in two "
                  "blocks: give blocks "
                  "of whole groups, or blocks inside of groups",
                  group.front() + 1, *other + 1));
}

void check_blocks(const std::vector<Index>& within, Index samples) {
  if (within.empty() || length(within) == samples) return;
  throw ParameterError(
      fmt::format("permutations within blocks: {} blocks for {} samples", within.size(), samples));
}

}  // namespace

Exchange::Exchange(const Dataset& data, const ExchangeLimits& limits, Index samples, Exchanged what)
    : samples_(samples) {
  check_groups(limits.folds, limits.groups);
  check_blocks(limits.within, samples);
  const std::vector<std::string> sides = sides_of(limits.folds, samples);
  const bool one_by_one = are_inside_groups(limits.within, limits.groups);
  std::vector<Block> blocks =
      blocks_of_samples(one_by_one ? std::vector<Index>() : limits.groups, samples);
  const auto has_one = [&](const Block& block) { return has_one_label(data.table, block); };
  room_.mixed = !std::ranges::all_of(blocks, has_one);
  const bool any_size = what == Exchanged::labels && !room_.mixed;
  std::map<std::tuple<std::string, std::size_t, Index>, std::vector<Block>> alike;
  for (Block& block : blocks) {
    const std::size_t size = any_size ? 0 : block.size();
    alike[{side_of(sides, block), size, block_of(limits.within, block)}].push_back(
        std::move(block));
  }
  for (auto& [key, own] : alike) exchangeable_.push_back(std::move(own));
  set_room(data.table, any_size);
}

void Exchange::set_room(const Table& table, bool any_size) {
  double logarithm = 0.0;
  Index movable = 0;
  for (const std::vector<Block>& blocks : exchangeable_) {
    std::map<std::string, Index> counts;
    Index samples = 0;
    for (const Block& block : blocks) {
      ++counts[pattern_of(table, block, any_size)];
      samples += length(block);
    }
    logarithm += log_arrangements(counts);
    if (counts.size() > 1) movable += samples;
  }
  room_.arrangements = std::exp(logarithm);
  room_.movable = static_cast<double>(movable) / static_cast<double>(samples_);
}

bool Exchange::is_possible() const {
  return std::ranges::any_of(exchangeable_, [](const auto& own) { return own.size() > 1; });
}

std::vector<Index> Exchange::next(LegacyRandom& random) const {
  std::vector<Index> order = all_samples(samples_);
  for (const std::vector<Block>& blocks : exchangeable_) {
    std::vector<Index> from = all_samples(length(blocks));
    random.shuffle(from);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Block& other = blocks[to_size(from[b])];
      for (std::size_t k = 0; k < blocks[b].size(); ++k) {
        order[to_size(blocks[b][k])] = other[k % other.size()];
      }
    }
  }
  return order;
}

}  // namespace kernmix
