#pragma once
/// \file
/// Which samples may change places where the labels, or a view, tell nothing: single samples, or
/// whole groups.

#include <vector>

#include "folds/legacy_random.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// What is exchanged between samples.
enum class Exchanged {
  labels,  ///< between groups of any size where every group has one label, else of equal size
  rows     ///< of a view: between groups of equal size
};

/// Samples of a group keep together: a group gets the labels or rows of one other group that stands
/// on the same side of every fold, its first sample those of the first, and so on.
class Exchange {
 public:
  /// \param folds  none: all samples stand on one side;  \param groups  of each sample; empty: each
  /// sample by itself \throws ParameterError for a group on both sides of a fold
  Exchange(const Dataset& data, const std::vector<Fold>& folds, const std::vector<Index>& groups,
           Index samples, Exchanged what);

  /// Are there any two groups, or samples, that may change places?
  [[nodiscard]] bool is_possible() const;
  /// For each sample the one whose labels or rows it gets. Without groups the draws are those of
  /// scikit-learn's _shuffle(y, groups, random_state).
  [[nodiscard]] std::vector<Index> next(LegacyRandom& random) const;

 private:
  using Block = std::vector<Index>;  ///< the samples of a group, ascending

  Index samples_;
  std::vector<std::vector<Block>> exchangeable_;  ///< blocks that may change places
};

}  // namespace kernmix
