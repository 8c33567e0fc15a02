// Exchangeability blocks: Winkler, Webster, Vidaurre, Nichols and Smith (NeuroImage 2015),
// whole-block exchange.

#include "selection/stability/exchange.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/samples.hpp"

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
std::vector<std::vector<Index>> blocks_of(const std::vector<Index>& groups, Index samples) {
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

}  // namespace

Exchange::Exchange(const Dataset& data, const std::vector<Fold>& folds,
                   const std::vector<Index>& groups, Index samples, Exchanged what)
    : samples_(samples) {
  check_groups(folds, groups);
  const std::vector<std::string> sides = sides_of(folds, samples);
  std::vector<Block> blocks = blocks_of(groups, samples);
  const auto has_one = [&](const Block& block) { return has_one_label(data.table, block); };
  const bool any_size = what == Exchanged::labels && std::ranges::all_of(blocks, has_one);
  std::map<std::pair<std::string, std::size_t>, std::vector<Block>> alike;
  for (Block& block : blocks) {
    const std::size_t size = any_size ? 0 : block.size();
    alike[{side_of(sides, block), size}].push_back(std::move(block));
  }
  for (auto& [key, own] : alike) exchangeable_.push_back(std::move(own));
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
