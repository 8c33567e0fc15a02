#pragma once
/// \file
/// Held-out predictions as rows, each with a sample, a fold, and an independent unit.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/samples.hpp"
#include "kernmix/selection/cross_validation.hpp"

namespace kernmix {

/// By the name of the metric; undefined metrics are omitted.
using MetricValues = std::map<std::string, double>;

/// How a metric combines the predictions of several models.
enum class Pooling { together, mean_of_folds, above_chance_in_folds, ranks_in_folds };
[[nodiscard]] Pooling pooling_of(const std::string& metric);

class HeldOutRows {
 public:
  /// \param ranks  of each fold, whether its decision values rank samples of every class
  /// \param groups  of each sample of the data, or empty
  HeldOutRows(PooledPrediction all, const std::vector<Fold>& folds, std::vector<bool> ranks,
              const std::vector<Index>& groups);

  [[nodiscard]] Index rows() const { return length(unit_); }
  [[nodiscard]] Index units() const { return units_; }
  /// The weight of a row.
  [[nodiscard]] double weight(Index row) const { return weight_at(weight_, to_size(row)); }
  /// Effective number of units in `rows`.
  [[nodiscard]] double effective_units(const std::vector<Index>& rows) const;
  [[nodiscard]] Index samples() const { return samples_; }
  [[nodiscard]] const std::vector<Index>& unit() const { return unit_; }
  [[nodiscard]] const Model& learned() const { return learned_; }
  [[nodiscard]] const Table& truth() const { return truth_; }

  /// All metrics of some rows, in ascending order.
  [[nodiscard]] MetricValues values(const std::vector<Index>& rows) const;
  /// The names of all metrics in the order of scores().
  [[nodiscard]] std::vector<std::string> names() const;
  /// Whether some fold ranks samples of every class.
  [[nodiscard]] bool has_rankings() const {
    return std::ranges::find(ranks_, true) != ranks_.end();
  }
  /// The number of samples that the largest fold tests.
  [[nodiscard]] std::size_t most_tested() const { return most_tested_; }

 private:
  [[nodiscard]] std::vector<Metric> metrics_of(const Prediction& from,
                                               const std::vector<Index>& rows) const;
  void set_signs();
  struct Ranking {
    Vector y, decision, weights;
    std::vector<Index> unit;
  };
  [[nodiscard]] Ranking ranking_of(Index task, const std::vector<Index>& rows) const;
  [[nodiscard]] double positive_weight(Index task, const std::vector<Index>& rows) const;
  void add_average_precision(const std::vector<Index>& rows,
                             const std::vector<std::vector<Index>>& folds,
                             MetricValues& found) const;

  Model learned_;
  Table truth_;  ///< one sample for each row, without features
  Prediction all_;
  Prediction ranked_;  ///< the same with ranks instead of decision values
  Matrix signs_;  ///< of each row, +1 or -1 for each class or label; one column for two classes
  std::vector<bool> ranks_;
  std::vector<Index> fold_;  ///< of each row
  std::vector<Index> unit_;  ///< of each row, 0 .. units - 1
  Vector weight_;            ///< of each row, or empty
  Index units_ = 0;
  Index samples_ = 0;
  std::size_t most_tested_ = 0;
};

}  // namespace kernmix
