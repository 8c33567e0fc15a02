#pragma once
/// \file
/// Average precision of new samples, from the rankings of single folds.

#include <optional>

#include "selection/expected/precision_by_chance.hpp"

namespace kernmix {

class FoldPrecision {
 public:
  /// Of the test samples of a fold; a fold with one class has no ranking and is omitted.
  void add(const RankedRows& fold);
  /// \param share  of the positive class among new samples; absent without a fold of both classes
  [[nodiscard]] std::optional<double> at(double share) const;

 private:
  double above_chance_ = 0.0;
  double most_above_chance_ = 0.0;
  double positives_ = 0.0;
  double samples_ = 0.0;
};

}  // namespace kernmix
