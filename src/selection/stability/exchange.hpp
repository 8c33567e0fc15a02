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

/// Samples of a group stay together: a group gets the labels or rows of one group in the same part
/// of every fold, in the order of the samples.
class Exchange {
 public:
  /// \param folds empty: all samples are in the same part; \param groups of each sample; empty:
  /// each sample is a group \throws ParameterError for a group on both sides of a fold
  Exchange(const Dataset& data, const std::vector<Fold>& folds, const std::vector<Index>& groups,
           Index samples, Exchanged what);

  /// Whether any two groups or samples are exchangeable.
  [[nodiscard]] bool is_possible() const;
  /// For each sample the sample whose labels or rows it gets. Without groups the draws are those of
  /// scikit-learn's _shuffle(y, groups, random_state).
  [[nodiscard]] std::vector<Index> next(LegacyRandom& random) const;

 private:
  using Block = std::vector<Index>;  ///< the samples of a group, ascending

  Index samples_;
  std::vector<std::vector<Block>> exchangeable_;  ///< exchangeable blocks
};

}  // namespace kernmix
