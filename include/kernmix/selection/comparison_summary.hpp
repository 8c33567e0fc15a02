#pragma once
/// \file
/// Summary of a comparison: means, ranks over data sets, and tests of differences. Tables, figures
/// and files all show these numbers.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/comparison.hpp"
#include "kernmix/selection/statistics.hpp"

namespace kernmix {

/// With fewer data sets, ranks over them are uninformative: tests of k methods cannot become
/// significant (Demsar 2006 recommends more than five). Methods are then compared on each data set.
inline constexpr Index fewest_ranked_data_sets = 5;

/// A score of one method over the splits of a data set.
struct MethodMean {
  Vector values;                 ///< of the finished splits on which every method has the score
  std::optional<double> mean;    ///< absent without values
  std::optional<double> spread;  ///< standard deviation (n - 1), from two splits on
};

/// Two methods on the splits of one data set; differences are first minus second.
struct MethodDifference {
  Index first = 0;
  Index second = 0;
  SignCounts signs;  ///< over splits
  CorrectedTTest test;
  std::optional<double> holm_p;  ///< of all pairs on this data set
};

/// Two methods over data sets, by their means.
struct MethodPair {
  Index first = 0;
  Index second = 0;
  SignCounts signs;  ///< over data sets
  SignedRankTest test;
  double holm_p = 1.0;  ///< of all pairs
  double nemenyi_p = 1.0;
};

/// One score of k methods on N data sets.
struct ScoreSummary {
  ScoreRule rule;
  std::vector<std::vector<MethodMean>> means;              ///< N x k
  std::vector<std::vector<MethodDifference>> differences;  ///< N lists of all pairs
  std::vector<Index> ranked;                  ///< data sets with a mean of every method
  Matrix ranks;                               ///< |ranked| x k, by means
  Vector average_ranks;                       ///< k, empty where no data set is ranked
  std::optional<FriedmanTest> friedman;       ///< from two ranked data sets and three methods on
  std::optional<double> critical_difference;  ///< Nemenyi, 0.05; as friedman, and for two methods
  std::vector<MethodPair> pairs;              ///< all pairs, from two ranked data sets on

  /// The method with the best mean, in a tie the first; -1 without means. Does not throw.
  [[nodiscard]] Index best_on(Index data) const;
};

/// The costs of one method on one data set, means over its finished splits.
struct MethodCost {
  double kernels_used = 0.0;
  Index kernels = 0;
  double solve_seconds = 0.0;            ///< of the final model
  double choose_seconds = 0.0;           ///< of all models of the inner folds
  Index unconverged = 0;                 ///< final models above their tolerance, a sum
  Index inner_unconverged = 0;           ///< models of inner folds, a sum
  Index inner_fits = 0;                  ///< a sum
  std::map<std::string, Index> choices;  ///< number of times that each candidate was selected
};

struct ComparisonSummary {
  std::vector<std::string> data;
  std::vector<std::string> methods;
  std::vector<Index> finished;  ///< splits of each data set
  std::vector<Index> splits;    ///< asked for
  std::vector<ScoreSummary> scores;
  std::vector<std::vector<MethodCost>> costs;  ///< N x k

  [[nodiscard]] bool complete() const { return finished == splits; }
};

[[nodiscard]] ComparisonSummary summarize(const std::vector<ComparedData>& data,
                                          const ComparisonRules& rules,
                                          const std::vector<ComparedSplit>& splits);

/// Groups of methods that do not differ significantly: maximal runs of methods, best first, whose
/// average ranks lie within `critical_difference`; indices in the order of rank. Groups of one are
/// omitted.
[[nodiscard]] std::vector<std::vector<Index>> groups_of_equals(ConstSpan average_ranks,
                                                               double critical_difference);

}  // namespace kernmix
