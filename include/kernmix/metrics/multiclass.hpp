#pragma once
/// \file
/// How good the predictions of one of K classes are.

#include <string>
#include <vector>

#include "kernmix/metrics/classwise.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// How often samples of one class were taken for another.
struct ConfusionMatrix {
  std::vector<std::string> names;  ///< K
  std::vector<Index> counts;       ///< K x K, row-major: true class down, predicted class across

  [[nodiscard]] Index operator()(Index truth, Index predicted) const {
    return counts[static_cast<std::size_t>(truth * length(names) + predicted)];
  }
  /// Class k against all others.
  [[nodiscard]] Confusion one_vs_rest(Index k) const;
};

struct MulticlassEvaluation {
  Index samples = 0;
  ConfusionMatrix confusion;
  /// accuracy; balanced_accuracy: mean recall of the classes that occur
  std::vector<Metric> metrics;
  /// those of count_metrics (micro averages: all are the accuracy), then, with decision values,
  /// those of ranking_metrics
  std::vector<ClasswiseMetric> classwise;
};

/// Every metric of predicted classes.
/// \param names  of the K >= 2 classes;  \param truth, predicted  classes 0 to K - 1, at least one
/// \param decision  n x K, the larger the more of the class; empty: without those that rank
/// \throws ParameterError when shapes differ, a class is out of range or a value is not finite
[[nodiscard]] MulticlassEvaluation evaluate_classes(const std::vector<std::string>& names,
                                                    const std::vector<Index>& truth,
                                                    const std::vector<Index>& predicted,
                                                    const Matrix& decision);

}  // namespace kernmix
