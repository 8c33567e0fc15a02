#pragma once
/// \file
/// Search for the options with the best score on held-out samples: a grid, or a path along C.
/// Kernels are computed once for each fold of a round, and each model starts from the answer of the
/// most similar previous model on its path.

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/selection/comparison.hpp"
#include "kernmix/selection/scores.hpp"

namespace kernmix {

/// The rule by which a search selects a candidate.
enum class Choice {
  best,    ///< the best mean, in a tie the first
  one_se,  ///< the simplest whose mean is within one standard error of the best (Breiman, Friedman,
           ///< Olshen and Stone 1984, section 3.4.3): the smallest C, then the fewest kernels used,
           ///< then the better mean
};

/// \throws ParameterError for a name other than "best" and "one-se"
[[nodiscard]] Choice parse_choice(const std::string& name);

/// The candidates of one path on one fold: the smallest unit of work of a search in parts.
struct SearchUnit {
  Index outer = -1;  ///< of nested_search(): its outer fold
  Index fold = 0;
  Index path = 0;  ///< Candidate::path
  // clang-tidy 14 sees a literal 0 in it.
  friend auto operator<=>(const SearchUnit&,
                          const SearchUnit&) = default;  // NOLINT(modernize-use-nullptr)
};

struct SearchRules {
  ScoreRule score = {};
  /// Every candidate on every fold. Otherwise a candidate is abandoned once even the best possible
  /// score on its remaining folds would leave its mean below that of the best candidate; the winner
  /// is the same. The one-standard-error rule and the units of `only` need `all`.
  bool all = false;
  Choice choice = Choice::best;
  /// Only these units: a search in parts, whose results equal those of one search.
  std::optional<std::vector<SearchUnit>> only = std::nullopt;

  [[nodiscard]] bool tries_all() const { return all || choice == Choice::one_se || only; }
};

/// Identifies a model of a search.
struct FitPlace {
  Index outer = -1;  ///< of nested_search(): its outer fold
  Index round = 0;
  Index fold = 0;  ///< -1: the train part of the outer fold, scored on its test part
  Index candidate = 0;
  // clang-tidy 14 sees a literal 0 in it.
  friend auto operator<=>(const FitPlace&,
                          const FitPlace&) = default;  // NOLINT(modernize-use-nullptr)
};

/// The results of a model of a search that other models need.
struct SearchedFit {
  FitPlace place;
  std::optional<double> score;
  bool converged = false;
  Index kernels_used = 0;       ///< with weight > 0
  double kernel_seconds = 0.0;  ///< attributed to this model
  double solve_seconds = 0.0;
  std::vector<StartingPoint>
      answer;  ///< Training::last_answer(): numbers of all samples trained on
};

/// One candidate over the folds.
struct SearchedCell {
  std::vector<std::optional<double>> scores;  ///< of each fold; absent where it was not tried
  bool abandoned = false;
  /// Present if it has a score on every fold on which any candidate has one.
  std::optional<double> mean;
  std::optional<double> spread;  ///< standard deviation (n - 1)
  double kernels_used = 0.0;     ///< mean over the folds tried

  /// Standard error of the mean of independent scores: spread / sqrt(n).
  [[nodiscard]] std::optional<double> standard_error() const;
};

struct Search {
  std::vector<SearchedCell> cells;  ///< of each candidate
  std::optional<Index> best;        ///< in a tie the first; absent if no cell has a mean
  std::optional<Index> chosen;      ///< by SearchRules::choice
  bool complete = true;             ///< false: the context said stop
  Index fits = 0;
  Index unconverged = 0;  ///< of these
  /// Number of changes of kernels between consecutive models of a fold and round. Kernels that a
  /// resumed run or a run in parts computes again are not counted.
  Index kernel_builds = 0;
  double kernel_seconds = 0.0;
  double solve_seconds = 0.0;
};

/// Receives each model as it is finished, one call at a time; may be empty.
using KeepFit = std::function<void(const SearchedFit&)>;

/// Rounds are fixed, and the candidates of a round depend on the previous rounds; a path starts
/// anew on each fold of a round. The numbers therefore do not depend on context.threads, on
/// `finished` or on parts. Unless all candidates are tried, the rounds are (1) the first fold, (2)
/// the best candidate of it on the other folds, (3, 4) the candidates that can still win, on the
/// first half of the other folds and on the second.
///
/// \param finished  models that `keep` received in an earlier run of the same search or its parts
/// \throws ParameterError, DataError, ResourceError as train(), naming candidate and fold
[[nodiscard]] Search search(const Dataset& data, const std::vector<Candidate>& candidates,
                            const std::vector<Fold>& folds, const SearchRules& rules,
                            const std::vector<SearchedFit>& finished, const KeepFit& keep,
                            const Context& context);

/// An outer fold of nested cross-validation, and the folds of its train part.
struct NestedFold {
  Fold outer;
  std::vector<Fold> inner;  ///< of samples of the whole data
};

/// Nested folds whose inner folds are the other outer folds: a model that trains on neither fold i
/// nor fold j is scored for both, so nested_search() trains K (K - 1) / 2 models for a candidate.
/// \param folds  with disjoint test parts; at least four, so that inner folds train on
/// half of the samples
[[nodiscard]] std::vector<NestedFold> nested_in_pairs(const std::vector<Fold>& folds);

/// The candidate that a search inside the train part selected, and its score on the test part.
struct NestedScore {
  Index candidate = 0;
  std::optional<double> score;
};

struct NestedSearch {
  std::vector<NestedScore> folds;  ///< of the outer folds that are finished, in their order
  bool complete = true;            ///< false: the context said stop
};

/// Searches inside the train part of each outer fold, trains the selected candidate on all of it
/// and scores it on the test part, which estimates the performance on new samples. Inner folds that
/// train on the same samples share their models (nested_in_pairs()), and then all candidates are
/// tried.
/// \throws as search(), naming the outer fold
[[nodiscard]] NestedSearch nested_search(const Dataset& data,
                                         const std::vector<Candidate>& candidates,
                                         const std::vector<NestedFold>& folds,
                                         const SearchRules& rules,
                                         const std::vector<SearchedFit>& finished,
                                         const KeepFit& keep, const Context& context);

/// All units of a search over `folds` folds, and of the nested search, fold by fold.
[[nodiscard]] std::vector<SearchUnit> search_units(const std::vector<Candidate>& candidates,
                                                   Index folds,
                                                   const std::vector<NestedFold>& nested);

/// The models of a unit if all candidates are tried.
[[nodiscard]] std::vector<FitPlace> places_of(const SearchUnit& unit,
                                              const std::vector<Candidate>& candidates);

}  // namespace kernmix
