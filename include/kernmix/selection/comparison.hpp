#pragma once
/// \file
/// Comparison of methods on the same splits of the same data sets. The options of each method are
/// selected by cross-validation inside the training part. Kernels of a part are computed once for
/// all methods that share them.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/scores.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// Options that a method may choose.
struct Candidate {
  std::string name;  ///< "C=10, p=2"; empty without a choice
  TrainOptions options;
  std::vector<std::pair<std::string, double>> numbers = {};  ///< its point in a grid: C, 10; p, 2
  /// In a search, candidates of one path are consecutive and start from each other's answers.
  Index path = 0;
};

struct ComparedMethod {
  std::string name;
  std::vector<Candidate> candidates;  ///< at least one; in a tie the first is selected
};

/// A data set, its splits, and the methods on it.
struct ComparedData {
  std::string name;
  Dataset data;
  std::vector<Fold> splits;
  std::vector<ComparedMethod> methods;  ///< the same names in the same order on all data sets
};

struct ComparisonRules {
  std::vector<std::string> scores = {};  ///< at least one; the first chooses the options
  Index inner_folds = 5;                 ///< >= 2, of the training part; stratified for classes
  std::uint32_t seed = 0;                ///< of the inner folds
};

/// One method on one split.
struct ComparedCell {
  Index candidate = 0;                        ///< the one chosen, a place in `candidates`
  std::vector<std::optional<double>> scores;  ///< of ComparisonRules::scores, on the test part
  Status status = Status::stalled;            ///< of the final model
  double relative_gap = 1.0;                  ///< of the final model
  Index kernels_used = 0;                     ///< with weight > 0
  Index kernels = 0;
  double solve_seconds = 0.0;   ///< of the final model, without its kernels
  double choose_seconds = 0.0;  ///< of solving in the inner folds
  Index fits = 0;               ///< in the inner folds
  Index unconverged = 0;        ///< of these
};

/// All methods on one split of one data set.
struct ComparedSplit {
  Index data = 0;
  Index split = 0;
  Index train = 0;  ///< samples
  Index test = 0;
  std::vector<ComparedCell> methods;
  double kernel_seconds = 0.0;
  Index kernel_builds = 0;
};

/// Runs the splits that `finished` lacks, concurrently on context.threads; all numbers except
/// seconds equal those of one thread, and do not depend on `finished`. A split that
/// context.should_stop() interrupts is omitted.
/// \param keep  receives each split as it is finished, one call at a time; may be empty
/// \returns finished and new splits in the order of data and split
/// \throws ParameterError, DataError, ResourceError as train(), naming data set, split and method
[[nodiscard]] std::vector<ComparedSplit> compare(
    const std::vector<ComparedData>& data, const ComparisonRules& rules,
    std::vector<ComparedSplit> finished, const std::function<void(const ComparedSplit&)>& keep,
    const Context& context);

/// A candidate for each kernel alone and each of `candidates`: their kernels with the weights
/// fixed to 1 for one kernel and 0 for the others. \throws as expand_kernels()
[[nodiscard]] std::vector<Candidate> single_kernel_candidates(
    const Dataset& data, const std::vector<Candidate>& candidates);

}  // namespace kernmix
