#pragma once
/// \file
/// Metrics of predictions with 95 % intervals, for two classes, numbers, many classes and labels.
/// An undefined value (a class is missing, no sample is predicted positive) is absent, never NaN.
///
/// Functions that take `weights` count sample i weights[i] times, or once for {}: integer
/// weights give the values of the repeated samples. Intervals use the effective number of
/// independent samples, (sum w)^2 / sum w^2 (Kish 1965), which is invariant to a common factor of
/// the weights. They throw ParameterError for weights of another length and for one
/// that is not finite or not > 0.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/data.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A value with its 95 % confidence interval.
struct Metric {
  std::string name;
  std::optional<double> value;
  std::optional<double> low;  ///< present together with `high`
  std::optional<double> high;
};

/// Counts at the threshold 0; a decision value of 0 counts as predicted positive.
struct Confusion {
  double true_positive = 0.0;  ///< number of samples, or sum of their weights; likewise the others
  double false_positive = 0.0;
  double true_negative = 0.0;
  double false_negative = 0.0;
  /// Sums of the squared weights of the same samples, for intervals.
  struct Squares {
    double true_positive = 0.0;
    double false_positive = 0.0;
    double true_negative = 0.0;
    double false_negative = 0.0;
  };
  std::optional<Squares> squares = std::nullopt;  ///< absent if each sample counts once
};

/// One corner of a receiver operating characteristic.
struct RocPoint {
  double false_positive_rate = 0.0;
  double true_positive_rate = 0.0;
  double threshold = 0.0;  ///< samples with decision >= threshold are predicted positive
};

struct Evaluation {
  Index samples = 0;    ///< number of samples, regardless of weights
  Index positives = 0;  ///< number of positive samples
  Confusion confusion;
  /// accuracy, balanced_accuracy, auc, average_precision, f1, precision, recall, specificity
  std::vector<Metric> metrics;
  std::vector<RocPoint> roc;  ///< from (0, 0) to (1, 1); empty when a class is missing
};

/// All metrics of decision values for two classes.
/// \param y labels +1 or -1, at least one;  \param decision finite values, same length
/// \throws ParameterError when lengths differ, a label is not +-1 or a value is not finite
[[nodiscard]] Evaluation evaluate(ConstSpan y, ConstSpan decision);

/// The same with predicted labels that do not follow from the sign of the decision value.
/// \param predicted  +1 or -1, same length
[[nodiscard]] Evaluation evaluate(ConstSpan y, ConstSpan decision, ConstSpan predicted,
                                  ConstSpan weights = {});

[[nodiscard]] Confusion confusion(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

[[nodiscard]] Metric precision(const Confusion& counts);  ///< TP / (TP + FP)
[[nodiscard]] Metric recall(const Confusion& counts);     ///< TP / (TP + FN)
[[nodiscard]] Metric f1(const Confusion& counts);         ///< 2 TP / (2 TP + FP + FN)

/// Share of (positive, negative) pairs in the right order, ties counting one half. Interval:
/// Wilson's for as many trials as give DeLong's variance (1988); absent where a class has fewer
/// than two samples.
[[nodiscard]] Metric auc(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// sum_k (recall_k - recall_{k-1}) precision_k over distinct thresholds, descending. Interval:
/// Wilson's for as many trials as give the variance of the infinitesimal jackknife (Efron 1982);
/// absent without negative ones, where it is 1 whatever the values.
[[nodiscard]] Metric average_precision(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// The mean over the recalls r = 0, 0.1, ..., 1 of the largest precision at a recall >= r
/// (Everingham et al. 2010, the measure of VOC2007). Without interval.
[[nodiscard]] Metric average_precision_11_point(ConstSpan y, ConstSpan decision,
                                                ConstSpan weights = {});

/// As average_precision, with the largest precision at the recall of a threshold or more in place
/// of its own (the measure of VOC2010). Without interval.
[[nodiscard]] Metric average_precision_interpolated(ConstSpan y, ConstSpan decision,
                                                    ConstSpan weights = {});

/// Area under the straight lines between the points (recall, precision) of the distinct thresholds,
/// from (0, 1) on. Too optimistic (Davis and Goadrich 2006); average_precision is not. Without
/// interval.
[[nodiscard]] Metric auc_pr(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// One point for each distinct decision value, preceded by (0, 0) at threshold +infinity.
[[nodiscard]] std::vector<RocPoint> roc_curve(ConstSpan y, ConstSpan decision,
                                              ConstSpan weights = {});

/// Share of decision values below 0, the outliers of a novelty detector, as a proportion.
/// \throws ParameterError when there is none or one is not finite
[[nodiscard]] Metric outlier_fraction(ConstSpan decision, ConstSpan weights = {});

/// A proportion with its Wilson score interval; absent value when `trials` is 0.
[[nodiscard]] Metric proportion(const std::string& name, Index successes, Index trials);

// Metrics of probabilities, as in scikit-learn.

/// Samples whose probability lies in [low, high).
struct ReliabilityBin {
  double low = 0.0;
  double high = 1.0;
  Index samples = 0;       ///< > 0
  double weight = 0.0;     ///< their sum of weights, or their number
  double predicted = 0.0;  ///< mean probability
  Metric observed;         ///< the observed frequency
};

struct ProbabilityEvaluation {
  /// log_loss: mean -log p of what came true, where p < 2.2e-16 counts as that;
  /// brier_score: mean squared difference to 1 of what came true and 0 of what did not, from 0 to
  /// 1, of many classes summed over them, from 0 to 2; expected_calibration_error: sum_b n_b / n
  /// |predicted_b - observed_b|, without interval: it is too large on few samples.
  std::vector<Metric> metrics;
  std::vector<ReliabilityBin> reliability;  ///< of ten equal ones those with samples, ascending
};

/// \param y labels +1 or -1, at least one;  \param probability  of +1, same length
/// \throws ParameterError when lengths differ or a probability is none
[[nodiscard]] ProbabilityEvaluation evaluate_probabilities(ConstSpan y, ConstSpan probability,
                                                           ConstSpan weights = {});

/// Of K classes; reliability is that of the class with the largest probability.
/// \param truth  classes 0 to K - 1, at least one;  \param probability  n x K
/// \throws ParameterError when shapes differ, a class is out of range or a probability is none
[[nodiscard]] ProbabilityEvaluation evaluate_class_probabilities(const std::vector<Index>& truth,
                                                                 const Matrix& probability,
                                                                 ConstSpan weights = {});

// Metrics of predicted numbers with 95 % intervals. With e_i = y_i - prediction_i,
// MSE = mean e_i^2, MAE = mean |e_i|, R^2 = 1 - sum e_i^2 / sum (y_i - mean y)^2.

/// rmse, mse, mae, r2 and, for every loss but the squared one, the mean of the loss that the model
/// was trained with ("pinball_loss" for pinball).
/// \param y targets, at least one;  \param prediction finite, same length
/// \throws ParameterError when lengths differ or a number is not finite
[[nodiscard]] std::vector<Metric> evaluate_numbers(const Loss& loss, ConstSpan y,
                                                   ConstSpan prediction, ConstSpan weights = {});

/// Mean of values >= 0. Interval: normal on the log scale with the standard error of the mean;
/// absent where all values are equal.
[[nodiscard]] Metric mean_metric(const std::string& name, ConstSpan values, ConstSpan weights = {});

/// Absent for equal targets. Interval: normal for log(1 - R^2), whose error is that of a ratio of
/// means (delta method): error(U)^2 = sum_i (e_i^2 - U t_i^2)^2 / (n (n - 1) mean(t^2)^2) with
/// U = 1 - R^2 and t_i = y_i - mean y.
[[nodiscard]] Metric r_squared(ConstSpan y, ConstSpan prediction, ConstSpan weights = {});

// Metrics of many classes, labels or targets: a value for each, and their averages.

/// Averages of the values of T classes.
struct ClassAverage {
  std::optional<double> micro;     ///< of the counts, or of the decisions, of all classes together
  std::optional<double> macro;     ///< mean over the classes that have a value
  std::optional<double> weighted;  ///< the same, each class weighted with its positive samples
};

/// One metric of T classes, each against the rest. A class that cannot have a value (for the
/// average precision: one without positive samples) has none and does not enter the averages: what
/// scikit-learn does with zero_division=nan.
struct ClasswiseMetric {
  std::string name;
  std::vector<Metric> classes;  ///< T, each called by the metric's name
  ClassAverage average;
};

/// precision, recall and f1 of each class. \param counts  of each class against the rest
[[nodiscard]] std::vector<ClasswiseMetric> count_metrics(const std::vector<Confusion>& counts);

/// auc, average_precision, average_precision_11_point, average_precision_interpolated and auc_pr of
/// each class; the macro average of an average precision is what is called mean average precision.
/// \param signs  n x T, +1 where the sample is of the class, else -1;  \param decision  n x T,
/// finite \throws ParameterError for different shapes, and where `evaluate` does
[[nodiscard]] std::vector<ClasswiseMetric> ranking_metrics(const Matrix& signs,
                                                           const Matrix& decision,
                                                           ConstSpan weights = {});

/// Those of evaluate_numbers of each of T targets; the macro average is their mean.
/// \param y, prediction  n x T
/// \throws ParameterError for different shapes, and where evaluate_numbers does
[[nodiscard]] std::vector<ClasswiseMetric> evaluate_targets(const Loss& loss, const Matrix& y,
                                                            const Matrix& prediction,
                                                            ConstSpan weights = {});

// Metrics of predictions of K classes.

/// Counts of predicted classes for each true class.
struct ConfusionMatrix {
  std::vector<std::string> names;  ///< K
  Vector counts;                   ///< K x K, row-major: true class down, predicted class across
  Vector squares = {};             ///< as Confusion::squares; empty where each sample counts once

  [[nodiscard]] double operator()(Index truth, Index predicted) const {
    return counts[to_size(truth * length(names) + predicted)];
  }
  /// Class k against all others.
  [[nodiscard]] Confusion one_vs_rest(Index k) const;
};

struct MulticlassEvaluation {
  Index samples = 0;  ///< number of samples, regardless of weights
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
                                                    const Matrix& decision, ConstSpan weights = {});

// Metrics of predictions of T labels, of which a sample has any number.

struct MultilabelEvaluation {
  Index samples = 0;              ///< number of samples, regardless of weights
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

/// The same of labels that do not follow from thresholds. \param predicted  n x T, row-major, 1 or
/// 0
[[nodiscard]] MultilabelEvaluation evaluate_labels(const MultiLabels& truth, const Matrix& decision,
                                                   const std::vector<unsigned char>& predicted,
                                                   ConstSpan weights = {});

/// log_loss, brier_score and expected_calibration_error of each of T labels (see
/// ProbabilityEvaluation); without micro averages. \param probability  n x T
/// \throws ParameterError where shapes differ or a probability is none
[[nodiscard]] std::vector<ClasswiseMetric> label_probability_metrics(const MultiLabels& truth,
                                                                     const Matrix& probability,
                                                                     ConstSpan weights = {});

}  // namespace kernmix
