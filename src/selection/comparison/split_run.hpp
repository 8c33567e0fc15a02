#pragma once
/// \file
/// All methods on one split of a data set.

#include <optional>
#include <vector>

#include "kernmix/selection/comparison.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/training.hpp"
#include "selection/part_score.hpp"

namespace kernmix {

class SplitRun {
 public:
  /// Everything must outlive it.
  SplitRun(const ComparedData& data, Index split, const ComparisonRules& rules,
           const Context& context);

  /// Nothing if the context requests a stop. \throws as compare(), naming data set, split and
  /// method
  [[nodiscard]] std::optional<ComparedSplit> run();

 private:
  /// Mean scores of each candidate of each method over the inner folds.
  using InnerScores = std::vector<std::vector<std::vector<std::optional<double>>>>;

  [[nodiscard]] bool choose();
  [[nodiscard]] bool choose_on(const Fold& inner, InnerScores& scores);
  [[nodiscard]] bool finish();
  void finish_method(std::size_t method, const PartScore& found);
  void count(const Reuse& reuse);

  const ComparedData& data_;
  const Fold& split_;
  const ComparisonRules& rules_;
  const Context& context_;
  std::vector<Index> order_;  ///< of methods: training_order()
  ComparedSplit result_;
};

}  // namespace kernmix
