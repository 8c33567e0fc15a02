#pragma once
/// \file
/// Exchangeability under the null hypothesis: of single samples, or of whole groups.

#include <vector>

#include "folds/legacy_random.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// What a permutation exchanges.
enum class Exchanged {
  labels,  ///< between groups of any size if every group has one label, otherwise of equal size
  rows     ///< of a view: between groups of equal size
};

/// Which samples stay together, and among which others.
struct ExchangeLimits {
  const std::vector<Fold>& folds;    ///< empty: all samples are in the same part
  const std::vector<Index>& groups;  ///< of each sample; empty: each sample is a group
  /// Block of each sample, such as its site; empty: all are one block. Blocks that lie inside of
  /// groups separate the groups' samples, which then are exchanged one by one.
  const std::vector<Index>& within;
};

/// How much permutations can change.
struct ExchangeRoom {
  double arrangements = 1.0;  ///< number of different assignments of labels; infinite: too many
  double movable = 0.0;       ///< share of the samples that can get another label
  bool mixed = false;         ///< some group has several labels
};

/// Samples of a group stay together: a group gets the labels or rows of one group in the same part
/// of every fold and in the same block, in the order of the samples.
class Exchange {
 public:
  /// \throws ParameterError for a group on both sides of a fold, or in several blocks that have
  /// samples of other groups
  Exchange(const Dataset& data, const ExchangeLimits& limits, Index samples, Exchanged what);

  /// Whether any two groups or samples are exchangeable.
  [[nodiscard]] bool is_possible() const;
  [[nodiscard]] const ExchangeRoom& room() const { return room_; }
  /// For each sample the sample whose labels or rows it gets. Without groups the draws are those of
  /// scikit-learn's _shuffle(y, groups, random_state).
  [[nodiscard]] std::vector<Index> next(LegacyRandom& random) const;

 private:
  using Block = std::vector<Index>;  ///< the samples of a group, ascending

  void set_room(const Table& table, bool any_size);

  Index samples_;
  std::vector<std::vector<Block>> exchangeable_;  ///< exchangeable blocks
  ExchangeRoom room_;
};

}  // namespace kernmix
