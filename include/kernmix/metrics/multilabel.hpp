#pragma once
/// \file
/// How good the predictions of T labels are, of which a sample has any number.

#include <vector>

#include "kernmix/data/labels.hpp"
#include "kernmix/metrics/classwise.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct MultilabelEvaluation {
  Index samples = 0;
  std::vector<Confusion> counts;  ///< of each label
  /// With Y_i the labels of sample i and f_it the decision values:
  /// subset_accuracy: share of samples with every label right;
  /// hamming_loss: mean share of wrong labels;
  /// ranking_loss: mean share of pairs (t in Y_i, s not) with f_it <= f_is, 0 without such pairs;
  /// coverage_error: mean of max_{t in Y_i} rank_i(t), where rank_i(t) = #{s : f_is >= f_it}, 0 for
  /// a sample without labels (some authors subtract 1);
  /// label_ranking_average_precision: mean over i and t in Y_i of
  /// #{s in Y_i : f_is >= f_it} / rank_i(t), 1 for samples with no label or all of them.
  std::vector<Metric> metrics;
  std::vector<ClasswiseMetric> classwise;  ///< those of count_metrics, then of ranking_metrics
};

/// Every metric of decision values against labels.
/// \param decision  n x T, finite;  \param thresholds  of each label, or empty for zeros: a label
/// is predicted where its decision value is at least its threshold \throws ParameterError when
/// there is no sample or no label, and when shapes differ or a value is not finite
[[nodiscard]] MultilabelEvaluation evaluate_labels(const MultiLabels& truth, const Matrix& decision,
                                                   ConstSpan thresholds = {});

}  // namespace kernmix
