#pragma once
/// \file
/// Which of many options are best on samples that were held out: a grid, or a path along C. Kernels
/// are computed once for each fold of a round, and each model begins with the answer of the most
/// similar one before it on its path.

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

/// Which candidate a search chooses.
enum class Choice {
  best,    ///< the best mean; of equal ones the first
  one_se,  ///< the simplest whose mean is within one standard error of the best (Breiman, Friedman,
           ///< Olshen and Stone 1984, section 3.4.3): the smallest C, then the fewest kernels used,
           ///< then the better mean
};

/// \throws ParameterError for a name other than "best" and "one-se"
[[nodiscard]] Choice parse_choice(const std::string& name);

/// The candidates of one path on one fold: the smallest share of a search that can be done apart.
struct SearchUnit {
  Index outer = -1;  ///< of nested_search(): its outer fold
  Index fold = 0;
  Index path = 0;  ///< Candidate::path
  // clang-tidy 14 sees a literal 0 in it.
  friend auto operator<=>(const SearchUnit&,
                          const SearchUnit&) = default;  // NOLINT(modernize-use-nullptr)
};

struct SearchRules {
  ScoreRule score;
  /// Every candidate on every fold. Else a candidate is abandoned once even the best possible score
  /// on the folds that it lacks leaves its mean below that of the best candidate: the winner stays.
  /// What is simplest within one standard error, and the units of `only`, need `all`.
  bool all = false;
  Choice choice = Choice::best;
  /// These units alone: a search in parts, whose results are those of one search of all.
  std::optional<std::vector<SearchUnit>> only = std::nullopt;

  [[nodiscard]] bool tries_all() const { return all || choice == Choice::one_se || only; }
};

/// Which model of a search.
struct FitPlace {
  Index outer = -1;  ///< of nested_search(): its outer fold
  Index round = 0;
  Index fold = 0;  ///< -1: the train part of the outer fold, scored on its test part
  Index candidate = 0;
  // clang-tidy 14 sees a literal 0 in it.
  friend auto operator<=>(const FitPlace&,
                          const FitPlace&) = default;  // NOLINT(modernize-use-nullptr)
};

/// A model of a search, as far as the others need it.
struct SearchedFit {
  FitPlace place;
  std::optional<double> score;
  bool converged = false;
  Index kernels_used = 0;       ///< with weight > 0
  double kernel_seconds = 0.0;  ///< on this model's account
  double solve_seconds = 0.0;
  std::vector<StartingPoint>
      answer;  ///< Training::last_answer(): numbers of all samples trained on
};

/// One candidate over the folds.
struct SearchedCell {
  std::vector<std::optional<double>> scores;  ///< of each fold; absent where it was not tried
  bool abandoned = false;
  /// Where it has a score on every fold that any candidate has one on.
  std::optional<double> mean;
  std::optional<double> spread;  ///< standard deviation (n - 1)
  double kernels_used = 0.0;     ///< mean over the folds tried

  /// Of the mean of scores that were independent: spread / sqrt(n).
  [[nodiscard]] std::optional<double> standard_error() const;
};

struct Search {
  std::vector<SearchedCell> cells;  ///< of each candidate
  std::optional<Index> best;        ///< of equal means the first; absent where no cell has a mean
  std::optional<Index> chosen;      ///< by SearchRules::choice
  bool complete = true;             ///< false: the context said stop
  Index fits = 0;
  Index unconverged = 0;  ///< of these
  /// How often, in the order of the models of a fold and round, kernels were others than those of
  /// the model before. What a run that goes on, or in parts, computes again does not count.
  Index kernel_builds = 0;
  double kernel_seconds = 0.0;
  double solve_seconds = 0.0;
};

/// Receives each model as it is finished, one call at a time; may be empty.
using KeepFit = std::function<void(const SearchedFit&)>;

/// Rounds are fixed, and what a round tries follows from the rounds before it; a path begins
/// anew on each fold of a round. So the numbers do not depend on context.threads, nor on what was
/// finished before, nor on parts. Where not all is tried the rounds are (1) the first fold, (2) the
/// candidate that is best there on the other folds, (3, 4) the others that are not hopeless, on the
/// first half of the other folds and on the second.
///
/// \param finished  what `keep` received in an earlier run of the same search, or of its parts
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

/// Nested folds whose inner folds are the other outer ones: a model that trains on neither fold i
/// nor fold j is scored for both, so nested_search() trains K (K - 1) / 2 models of a candidate.
/// \param folds  of which no two test the same sample; four or more, so that inner folds train on
/// half of the samples
[[nodiscard]] std::vector<NestedFold> nested_in_pairs(const std::vector<Fold>& folds);

/// What a search inside the train part chose, and how good that is on the test part.
struct NestedScore {
  Index candidate = 0;
  std::optional<double> score;
};

struct NestedSearch {
  std::vector<NestedScore> folds;  ///< of the outer folds that are finished, in their order
  bool complete = true;            ///< false: the context said stop
};

/// Searches inside the train part of each outer fold, trains what was chosen on all of it and
/// scores that on the test part: what to expect of new samples. Inner folds that train on the same
/// samples share their models (nested_in_pairs()), and all candidates are tried then.
/// \throws as search(), naming the outer fold
[[nodiscard]] NestedSearch nested_search(const Dataset& data,
                                         const std::vector<Candidate>& candidates,
                                         const std::vector<NestedFold>& folds,
                                         const SearchRules& rules,
                                         const std::vector<SearchedFit>& finished,
                                         const KeepFit& keep, const Context& context);

/// All units of a search of so many folds, and of the nested search in its manner: fold by fold.
[[nodiscard]] std::vector<SearchUnit> search_units(const std::vector<Candidate>& candidates,
                                                   Index folds,
                                                   const std::vector<NestedFold>& nested);

/// The models of a unit, where all is tried.
[[nodiscard]] std::vector<FitPlace> places_of(const SearchUnit& unit,
                                              const std::vector<Candidate>& candidates);

}  // namespace kernmix
