#pragma once
/// \file
/// A whole study of a data set: which loss fits its labels, which folds are dealt, what is tried,
/// the model that wins, and what to expect of it in words.
///
///     const kernmix::AutoResult found = kernmix::auto_train(data, {}, {});
///     kernmix::save_model(found.trained.model, "model.kmx");

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/expected.hpp"
#include "kernmix/selection/mean.hpp"
#include "kernmix/selection/search.hpp"

namespace kernmix {

/// "squared" where several numbers are asked for, and where all labels are numbers that do not name
/// classes: more than two different ones, not all whole, or more than 20 that do not count up from
/// 0 or 1 with five samples each on average; else "hinge".
[[nodiscard]] std::string loss_for(const Table& table);

/// The class of each sample, numbers from 0; empty where samples do not have one class each.
[[nodiscard]] std::vector<Index> classes_of(const Table& table, const TrainOptions& options);

/// Which folds a study takes.
struct FoldRule {
  FoldOptions asked;           ///< how many, how often, in which order
  bool leave_one_out = false;  ///< in place of these
  std::vector<Fold> given;     ///< in place of these, where there are any
  std::string given_by;        ///< "the folds of column part", of `given`
  std::string group_column;    ///< of TrainOptions::groups, or empty: they have no name
};

struct ChosenFolds {
  std::vector<Fold> folds;
  std::string rule;                   ///< "5 folds, stratified, shuffled with seed 0"
  std::vector<std::string> warnings;  ///< of classes that some fold lacks
};

/// Of whole groups where TrainOptions has them, else stratified where samples have one class each.
/// \param options  of the model: its loss says whether there are classes
/// \throws ParameterError for folds that these samples cannot have, ResourceError where they do not
/// fit in context.memory_bytes
[[nodiscard]] ChosenFolds choose_folds(const Dataset& data, const TrainOptions& options,
                                       const FoldRule& rule, const Context& context);

/// Random splits into a part to train on and one to test.
struct SplitRule {
  Index splits = 10;
  double test = 0.3;  ///< the share of samples, or of groups, that is tested, in (0, 1)
  std::uint32_t seed = 0;
  std::string group_column = {};  ///< FoldRule::group_column
};

/// Of whole groups, else stratified where samples have one class each.
/// \throws ParameterError where a part would be empty
[[nodiscard]] ChosenFolds choose_splits(const Dataset& data, const TrainOptions& options,
                                        const SplitRule& rule, const Context& context = {});

/// \param asked  by whom, such as "--folds": what the message begins with
/// \throws ResourceError where folds of n samples alone take more than context.memory_bytes
void require_room(const std::string& asked, double folds, Index n, const Context& context);

/// A seed as folds take it. \throws ParameterError for one that is too large
[[nodiscard]] std::uint32_t seed_of_folds(const std::string& asked, const Context& context);

/// Folds whose train parts have folds of their own: groups stay together and classes are spread
/// evenly on both levels. \param asked  of the inner folds; its repeats do not count
/// \throws ParameterError for folds that these samples cannot have
[[nodiscard]] std::vector<NestedFold> nested_folds(const Dataset& data, const TrainOptions& options,
                                                   Index outer, FoldOptions asked,
                                                   const Context& context = {});

/// The average of the kernels, weights of an lp norm and sparse ones, each along a path of C: on
/// the kernels asked for, or on the default ones and a second bank (docs/how-to/auto.md). Of equal
/// scores the first, and so the average, is chosen.
[[nodiscard]] std::vector<Candidate> automatic_candidates(const Dataset& data,
                                                          const TrainOptions& options);

/// \param hint  what else helps where time ran out
/// \throws DataError where no candidate has a score on any fold, ResourceError where time did not
/// suffice for one
void require_choice(const Search& search, const ScoreRule& score, const std::string& hint);

/// Numbers of the best candidate that are an end of their grid, each as a sentence.
/// \param remedy  how a wider grid is asked for; "{}" stands for the key
[[nodiscard]] std::vector<std::string> grid_remarks(const std::vector<Candidate>& candidates,
                                                    Index best, const std::string& remedy);

/// One sentence if the context said stop before all outer folds were searched.
/// \param folds  number of outer folds
[[nodiscard]] std::vector<std::string> nested_remarks(const NestedSearch& nested, Index folds);

/// Whether `value` is the smallest or the largest of several values that candidates have for `key`.
[[nodiscard]] bool is_end_of_grid(const std::vector<Candidate>& candidates, const std::string& key,
                                  double value, bool largest);

/// The expected score with the deviation of those of the outer folds; where it is not known, the
/// mean of these.
[[nodiscard]] MeanAndSpread nested_mean(const NestedSearch& nested,
                                        const std::optional<Expected>& expected,
                                        const std::string& score);

/// TrainOptions::similar_kernels of models that a report shows.
inline constexpr Index similar_kernels_shown = 20;

/// What kernmix auto is asked.
struct AutoOptions {
  /// What all candidates have in common. The regularizer, C and, of default kernels, a second bank
  /// are chosen; the tolerance is that of the model that is kept.
  TrainOptions train;
  bool loss_by_labels = true;  ///< the loss of `train` is loss_for()
  std::string score;           ///< what chooses; empty: default_score()
  Index folds = 5;  ///< to choose by, and to see what to expect; shuffled by context.seed
  std::string group_column = {};  ///< FoldRule::group_column
};

/// The share of one view in the kernel weights.
struct ViewShare {
  std::string view;
  double share = 0.0;
  double least = 0.0;  ///< over this model and those of the outer folds
  double most = 0.0;
};

/// FeatureEffect::importance of one column as a share of all columns, the mean over tasks.
struct ColumnShare {
  std::string view;
  std::string column;
  double share = 0.0;
  double least = 0.0;  ///< over this model and those of the outer folds
  double most = 0.0;
};

struct AutoResult {
  std::vector<Candidate> candidates;
  ChosenFolds folds;  ///< that chose
  std::vector<NestedFold> nested_folds;
  ScoreRule score;
  Search search;
  TrainOptions chosen;  ///< of the model
  TrainResult trained;  ///< the chosen candidate, on all samples
  NestedSearch nested;
  CrossValidation winners;  ///< what each search inside an outer fold chose, on its test part
  /// Of these; absent where time did not suffice, or the folds have different classes.
  std::optional<Expected> expected;
  std::vector<ViewShare> views;  ///< the largest first
  /// The largest first; empty where kernels read no columns, columns and samples are too many for a
  /// second or two, or time is up.
  std::vector<ColumnShare> columns;
  std::vector<std::string> answer;   ///< sentences for everybody: samples, what to expect, views
  std::vector<std::string> remarks;  ///< what misleads where it is not said: folds, ends of grids
  std::vector<Warning> warnings;     ///< of training, and of what to expect

  [[nodiscard]] const Candidate& winner() const { return candidates[to_size(*search.chosen)]; }
  [[nodiscard]] bool complete() const {
    return search.complete && nested.complete && trained.status == Status::converged;
  }
};

/// All that `kernmix auto` does between reading and writing: folds, search, training, nested
/// cross-validation, and the answer in words. It trains before it cross-validates, so that time
/// runs out on what to expect rather than on the model.
/// \throws ParameterError, DataError, ResourceError as search() and train(), and as
/// require_choice()
[[nodiscard]] AutoResult auto_train(const Dataset& data, const AutoOptions& options,
                                    const Context& context);

/// AutoResult::answer, of a study that holds all else: how many samples were used and left out, and
/// why; how often predictions of new samples are right; which views and columns the model looks at,
/// with the range over the outer folds.
[[nodiscard]] std::vector<std::string> answer_of(const AutoResult& study, const Dataset& data);

/// What a search over a grid is asked.
struct TuneOptions {
  std::vector<Candidate> candidates;  ///< with the same loss, groups and sample weights
  FoldRule folds;
  Index nested = 0;        ///< outer folds, to see what to expect; 0: none
  std::string score = {};  ///< what chooses; empty: default_score()
  SearchRules rules = {};  ///< all but its score
};

/// The folds and rules of a search, score included. The fingerprint of a journal is made of them.
struct TunePlan {
  ChosenFolds folds;
  std::vector<NestedFold> nested_folds;
  SearchRules rules;
};

/// \throws ParameterError for no candidate, and as choose_folds(), nested_folds() and score_rule()
[[nodiscard]] TunePlan plan_tune(const Dataset& data, const TuneOptions& options,
                                 const Context& context);

/// Models of an earlier run of the same plan, and where new ones go.
struct TuneJournal {
  std::vector<SearchedFit> finished;
  KeepFit keep;      ///< may be empty
  std::string hint;  ///< what else helps where time ran out, for require_choice()
};

struct TuneResult {
  ChosenFolds folds;
  ScoreRule score;
  Search search;
  TrainResult trained;  ///< the chosen candidate, on all samples
  std::vector<NestedFold> nested_folds;
  NestedSearch nested;
  CrossValidation winners;           ///< as AutoResult::winners
  std::optional<Expected> expected;  ///< absent without nested folds, and where time ran out
  std::vector<std::string> remarks;  ///< what misleads where it is not said
  std::vector<Warning> warnings;     ///< of training, and of what to expect
  [[nodiscard]] bool complete() const {
    return search.complete && nested.complete && winners.complete &&
           trained.status == Status::converged;
  }
};

/// What `kernmix tune` does between reading and writing: search, training, and nested
/// cross-validation if the plan has nested folds. As auto_train(), it trains before it
/// cross-validates.
/// \throws ParameterError, DataError, ResourceError as search() and train(), and as
/// require_choice()
[[nodiscard]] TuneResult tune_train(const Dataset& data, const std::vector<Candidate>& candidates,
                                    const TunePlan& plan, const TuneJournal& journal,
                                    const Context& context);

/// Trains the models of SearchRules::only, which TuneJournal::keep receives.
/// \returns false if the context said stop
[[nodiscard]] bool tune_part(const Dataset& data, const std::vector<Candidate>& candidates,
                             const TunePlan& plan, const TuneJournal& journal,
                             const Context& context);

/// plan_tune() and tune_train() without a journal.
[[nodiscard]] TuneResult tune_train(const Dataset& data, const TuneOptions& options,
                                    const Context& context);

/// "average kernel" and "best single kernel", each with these candidates.
[[nodiscard]] std::vector<ComparedMethod> baselines(const Dataset& data,
                                                    const std::vector<Candidate>& candidates);

/// One sentence for everybody: "Expected: right for 75 of 100 new samples (95 % interval 66 to 83);
/// always saying 'no' is right for 68." Of numbers: how much of their variation is explained. Empty
/// where nothing of the kind is known.
[[nodiscard]] std::string answer_sentence(const Expected& expected);

/// " (95 % interval 66 to 83)" of a share in per cent, or empty where there is none.
[[nodiscard]] std::string interval_of_hundred(const Metric& metric);

/// Code no-better-than-majority: labels that are right no more often than those of always saying
/// the most frequent class, and a balanced accuracy that cannot be told from that of guessing.
/// \param name  of the model among several, or empty
[[nodiscard]] std::vector<Warning> expected_warnings(const Expected& expected,
                                                     const std::string& name);

/// The same of predictions of samples whose labels are known.
[[nodiscard]] std::vector<Warning> evaluation_warnings(const Model& model, const Table& table,
                                                       const Prediction& prediction,
                                                       ConstSpan weights = {});

}  // namespace kernmix
