#pragma once
/// \file
/// Complete studies of a data set: the loss for its labels, folds, candidates, the selected model,
/// and its expected performance in words.
///
///     const kernmix::AutoResult found = kernmix::auto_train(data, {}, {});
///     kernmix::save_model(found.trained.model, "model.kmx");

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/comparison_summary.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/expected.hpp"
#include "kernmix/selection/mean.hpp"
#include "kernmix/selection/search.hpp"

namespace kernmix {

/// "squared" for several targets, and for labels that are numbers but not names of classes;
/// otherwise "hinge". More than two different numbers are not names of classes if they are not all
/// integers. The same holds for more than 20 integers, unless they count up from 0 or 1 without a
/// gap with five samples each on average.
[[nodiscard]] std::string loss_for(const Table& table);

/// The class of each sample, numbered from 0; empty unless each sample has one class.
[[nodiscard]] std::vector<Index> classes_of(const Table& table, const TrainOptions& options);

/// How the folds of a study are made.
struct FoldRule {
  FoldOptions asked = {};           ///< their number, repetitions and order
  bool leave_one_out = false;       ///< instead of these
  std::vector<Fold> given = {};     ///< instead of these, if not empty
  std::string given_by = {};        ///< origin of `given`: "the folds of column part"
  std::string group_column = {};    ///< name of TrainOptions::groups, or empty
  std::vector<Index> samples = {};  ///< folds of these samples only, ascending; empty: of all
  std::string samples_called = {};  ///< which samples these are, for ChosenFolds::rule
  std::vector<std::string> given_names = {};  ///< of `given`, such as sites; empty: numbers from 1
};

struct ChosenFolds {
  std::vector<Fold> folds;
  std::string rule;                     ///< "5 folds, stratified, shuffled with seed 0"
  std::vector<std::string> warnings;    ///< about classes missing in some fold, and equal folds
  std::vector<std::string> names = {};  ///< of each fold, such as its site; empty: numbers from 1

  /// The name of a fold, or its number from 1.
  [[nodiscard]] std::string name(Index fold) const;
};

/// Folds of whole groups if TrainOptions has groups; otherwise stratified if each sample has one
/// class.
/// \param options of the model; its loss determines whether there are classes
/// \throws ParameterError for folds that are impossible for these samples, ResourceError if they do
/// not fit in context.memory_bytes
[[nodiscard]] ChosenFolds choose_folds(const Dataset& data, const TrainOptions& options,
                                       const FoldRule& rule, const Context& context);

/// Random splits into a training and a test part.
struct SplitRule {
  Index splits = 10;
  double test = 0.3;  ///< share of the samples, or groups, in the test part, in (0, 1)
  std::uint32_t seed = 0;
  std::string group_column = {};  ///< FoldRule::group_column
};

/// Splits of whole groups; otherwise stratified if each sample has one class.
/// \throws ParameterError if a part would be empty
[[nodiscard]] ChosenFolds choose_splits(const Dataset& data, const TrainOptions& options,
                                        const SplitRule& rule, const Context& context = {});

/// \param asked the option, such as "--folds", with which the message begins
/// \throws ResourceError if the index lists of the folds alone exceed context.memory_bytes
void require_room(const std::string& asked, double folds, Index n, const Context& context);

/// The seed of the context as folds use it. \throws ParameterError if it is too large
[[nodiscard]] std::uint32_t seed_of_folds(const std::string& asked, const Context& context);

/// Outer folds with inner folds of their training parts: on both levels groups stay together and
/// classes are stratified. \param asked inner folds; its repeats are ignored
/// \throws ParameterError for folds that are impossible for these samples
[[nodiscard]] std::vector<NestedFold> nested_folds(const Dataset& data, const TrainOptions& options,
                                                   Index outer, FoldOptions asked,
                                                   const Context& context = {});

/// The average kernel, an lp norm and a sparse regularizer, each with several values of C, on the
/// requested kernels or on the default ones and a second bank (docs/how-to/auto.md). Ties are
/// resolved in favour of the first, hence of the average.
[[nodiscard]] std::vector<Candidate> automatic_candidates(const Dataset& data,
                                                          const TrainOptions& options);

/// \param hint  a further remedy if time ran out
/// \throws DataError if no candidate has a score on any fold, ResourceError if time ran out before
/// the first one
void require_choice(const Search& search, const ScoreRule& score, const std::string& hint);

/// One sentence for each number of the best candidate at an end of its grid; none if the search was
/// stopped, because candidates beyond the best one may not have been tried.
/// \param remedy how to request a wider grid; "{}" stands for the key
[[nodiscard]] std::vector<std::string> grid_remarks(const std::vector<Candidate>& candidates,
                                                    const Search& search,
                                                    const std::string& remedy);

/// One sentence if the context requested a stop before all outer folds were searched.
/// \param folds  number of outer folds
[[nodiscard]] std::vector<std::string> nested_remarks(const NestedSearch& nested, Index folds);

/// Limits of a data set in a comparison: classes that folds lack or that have fewer samples than
/// inner folds, and targets of one value.
/// \param splits  of choose_splits(), for its warnings
[[nodiscard]] std::vector<std::string> data_remarks(const ComparedData& data,
                                                    const ChosenFolds& splits, Index inner_folds);

/// What the remarks on a comparison call by the names of their interface.
struct ComparisonWords {
  std::string resume;  ///< the remedy of unfinished splits: "allow more time"
  std::string tests;   ///< where the tests over data sets are: "the JSON"
};

/// Conditions that limit the interpretation of a comparison: unfinished splits, few data sets,
/// single splits, models that did not converge, choices at an end of a grid.
[[nodiscard]] std::vector<std::string> comparison_remarks(const std::vector<ComparedData>& data,
                                                          const std::vector<ComparedSplit>& splits,
                                                          const ComparisonSummary& summary,
                                                          const ComparisonWords& words);

/// The smallest and the largest value of `key` among the candidates; nothing if they are the same.
[[nodiscard]] std::optional<std::pair<double, double>> ends_of_grid(
    const std::vector<Candidate>& candidates, const std::string& key);

/// Whether `value` is the smallest (or largest) of the values of `key` among the candidates.
[[nodiscard]] bool is_end_of_grid(const std::vector<Candidate>& candidates, const std::string& key,
                                  double value, bool largest);

/// The expected score with the standard deviation over the outer folds; if unknown, their mean.
[[nodiscard]] MeanAndSpread nested_mean(const NestedSearch& nested,
                                        const std::optional<Expected>& expected,
                                        const std::string& score);

/// TrainOptions::similar_kernels of models for a report.
inline constexpr Index similar_kernels_shown = 20;

/// Options of automatic model selection.
struct AutoOptions {
  /// Settings common to all candidates, except the regularizer, C and, with default kernels, a
  /// second bank, which are selected. The tolerance is that of the final model.
  TrainOptions train = {};
  bool loss_by_labels = true;  ///< replace the loss of `train` by loss_for()
  std::string score = {};      ///< selection metric; empty: default_score()
  Index folds = 5;  ///< of the search and of the outer cross-validation; shuffled with context.seed
  std::string group_column = {};  ///< FoldRule::group_column
};

/// The share of one view in the kernel weights.
struct ViewShare {
  std::string view;
  double share = 0.0;
  double least = 0.0;  ///< over this model and those of the outer folds
  double most = 0.0;
};

/// FeatureEffect::importance of one column relative to the sum over all columns, averaged over
/// tasks.
struct ColumnShare {
  std::string view;
  std::string column;
  double share = 0.0;
  double least = 0.0;  ///< over this model and those of the outer folds
  double most = 0.0;
};

/// Of a study of more than 10,000 samples on landmarks: candidates are compared on some of the
/// samples.
struct Subsample {
  Index samples = 0;       ///< that the folds of the search are of
  Index all = 0;           ///< that the model is trained on
  Index tested = 0;        ///< of the estimate, none of those of the search
  std::uint32_t seed = 0;  ///< by which both are drawn
};

struct AutoResult {
  std::vector<Candidate> candidates;
  std::optional<Subsample> subsample;
  ChosenFolds folds;  ///< of the search
  /// With a subsample one: its test part is of the estimate, its inner folds are those of the
  /// search.
  std::vector<NestedFold> nested_folds;
  ScoreRule score;
  Search search;
  TrainOptions chosen;  ///< of the model
  TrainResult trained;  ///< the chosen candidate, on all samples
  NestedSearch nested;
  CrossValidation winners;  ///< test predictions of the model chosen in each outer fold
  /// Estimated from `winners`; absent if time ran out or the folds have different classes.
  std::optional<Expected> expected;
  std::vector<ViewShare> views;  ///< in descending order
  /// In descending order; empty if kernels read no columns, if it would take more than a second or
  /// two, or if time ran out.
  std::vector<ColumnShare> columns;
  std::vector<std::string> answer;   ///< for non-specialists: samples, performance, views
  std::vector<std::string> remarks;  ///< limits of the interpretation: folds, ends of grids
  std::vector<Warning> warnings;     ///< of training, and of what to expect

  [[nodiscard]] const Candidate& winner() const { return candidates[to_size(*search.chosen)]; }
  [[nodiscard]] bool complete() const {
    return search.complete && nested.complete && trained.status == Status::converged;
  }
};

/// Automatic model selection, the computation of `kernmix auto`: folds, search, training, nested
/// cross-validation, and the answer in words. Training precedes the nested cross-validation, so
/// that a time limit affects the estimate before the model. More than 10,000 samples on landmarks
/// are searched on a subsample, and the estimate is of samples that the search did not use.
/// \throws ParameterError, DataError, ResourceError as search() and train(), and as
/// require_choice()
[[nodiscard]] AutoResult auto_train(const Dataset& data, const AutoOptions& options,
                                    const Context& context);

/// AutoResult::answer, from the other members of the study: the number of samples used and omitted,
/// with the reason; the expected performance; and the views and columns that the model uses, with
/// ranges over the outer folds.
[[nodiscard]] std::vector<std::string> answer_of(const AutoResult& study, const Dataset& data);

/// Options of a search over a grid.
struct TuneOptions {
  std::vector<Candidate> candidates = {};  ///< with the same loss, groups and sample weights
  FoldRule folds = {};
  Index nested = 0;        ///< outer folds for the expected performance; 0: none
  std::string score = {};  ///< selection metric; empty: default_score()
  SearchRules rules = {};  ///< except the score
};

/// The folds and rules of a search, including its score. The fingerprint of a journal depends on
/// them.
struct TunePlan {
  ChosenFolds folds;
  std::vector<NestedFold> nested_folds;
  SearchRules rules;
};

/// \throws ParameterError without candidates, and as choose_folds(), nested_folds() and
/// score_rule()
[[nodiscard]] TunePlan plan_tune(const Dataset& data, const TuneOptions& options,
                                 const Context& context);

/// Models of an earlier run of the same plan, and the function that stores new ones.
struct TuneJournal {
  std::vector<SearchedFit> finished;
  KeepFit keep;      ///< may be empty
  std::string hint;  ///< for require_choice()
};

struct TuneResult {
  ChosenFolds folds;
  ScoreRule score;
  Search search;
  TrainResult trained;  ///< the chosen candidate, on all samples
  std::vector<NestedFold> nested_folds;
  NestedSearch nested;
  CrossValidation winners;           ///< as AutoResult::winners
  std::optional<Expected> expected;  ///< absent without nested folds or if time ran out
  std::vector<std::string> remarks;  ///< conditions that limit the interpretation
  std::vector<Warning> warnings;     ///< of training, and of what to expect
  [[nodiscard]] bool complete() const {
    return search.complete && nested.complete && winners.complete &&
           trained.status == Status::converged;
  }
};

/// The computation of `kernmix tune`: search, training, and nested cross-validation if the plan has
/// nested folds. As in auto_train(), training precedes the nested cross-validation.
/// \throws ParameterError, DataError, ResourceError as search() and train(), and as
/// require_choice()
[[nodiscard]] TuneResult tune_train(const Dataset& data, const std::vector<Candidate>& candidates,
                                    const TunePlan& plan, const TuneJournal& journal,
                                    const Context& context);

/// Trains the models of SearchRules::only, which TuneJournal::keep receives.
/// \returns false if the context requested a stop
[[nodiscard]] bool tune_part(const Dataset& data, const std::vector<Candidate>& candidates,
                             const TunePlan& plan, const TuneJournal& journal,
                             const Context& context);

/// plan_tune() and tune_train() without a journal.
[[nodiscard]] TuneResult tune_train(const Dataset& data, const TuneOptions& options,
                                    const Context& context);

/// The methods "average kernel" and "best single kernel" for these candidates.
[[nodiscard]] std::vector<ComparedMethod> baselines(const Dataset& data,
                                                    const std::vector<Candidate>& candidates);

/// One sentence for non-specialists: "Expected: right for 75 of 100 new samples (95 % interval 66
/// to 83); always saying 'no' is right for 68." For regression it states the explained variance.
/// Empty if the metrics are unknown.
[[nodiscard]] std::string answer_sentence(const Expected& expected);

/// " (95 % interval 66 to 83)" for a share in per cent, or empty without an interval.
[[nodiscard]] std::string interval_of_hundred(const Metric& metric);

/// The warning no-better-than-majority: accuracy is not above that of the most frequent class, and
/// balanced accuracy does not differ significantly from chance.
/// \param name of the model if there are several, or empty
[[nodiscard]] std::vector<Warning> expected_warnings(const Expected& expected,
                                                     const std::string& name);

/// The same for predictions of labelled samples; samples of one class alone get the warning
/// one-class-evaluated instead, and those of training also training-samples-evaluated.
[[nodiscard]] std::vector<Warning> evaluation_warnings(const Model& model, const Table& table,
                                                       const Prediction& prediction,
                                                       ConstSpan weights = {});

}  // namespace kernmix
