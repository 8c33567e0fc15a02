#pragma once
/// \file
/// Metrics of many classes or labels: a value for each, and their averages.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/metrics/metrics.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The ways to put the values of T classes into one.
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
                                                           const Matrix& decision);

}  // namespace kernmix
