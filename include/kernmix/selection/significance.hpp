#pragma once
/// \file
/// Whether a model has learned anything, and what each of its views adds: cross-validated scores of
/// permuted labels, of fewer views, and of views whose samples are permuted.
///
/// Every fold has kernels of its own, fitted on its training samples as cross-validation does and
/// evaluated once for all models of the fold.
///
/// Where options.groups says which samples belong together, whole groups are exchanged in place of
/// samples: labels between groups of any size where each group has one label, else between groups
/// of equal size, as the samples of views always.
///
/// Samples are exchanged only with samples that stand on the same side of every fold. With the K
/// folds of a cross-validation these are the samples that are tested together: training sets keep
/// their samples and classes, so that the test is exact and no kernel is computed again. Where
/// folds test samples more than once (repeats), nearly no two stand on the same side of all of
/// them: then all samples exchange their labels, and each takes the place in the folds along with
/// the label. That is exact, too, and computes kernels for every permutation.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/fitted_steps.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

struct SignificanceOptions {
  std::vector<Fold> folds;  ///< two at least
  /// A metric of scores(); empty: that of default_score().
  std::string score;
  Index permutations = 0;
  bool views = false;  ///< train without each view, and with it alone
  /// Permute the samples of each view, too: `permutations` more models for each view and fold.
  bool permute_views = false;
  /// Fitted again on the training part of each fold and, where labels are permuted, for each
  /// permutation, whose kernels are computed anew then.
  FittedSteps steps = {};
};

/// Before anything is computed. \throws ParameterError for an unknown score, fewer than two folds,
/// and numbers out of range
void check_options(const SignificanceOptions& options);

/// Scores where the null hypothesis holds, next to the one that was observed.
struct PermutationTest {
  Vector permuted;    ///< those that were finished
  double mean = 0.0;  ///< of these
  /// (1 + number of permuted scores at least as good as the observed one) / (1 + number of them):
  /// Ojala and Garriga (JMLR 2010), equation (1), with the observed one among the permuted
  /// (Phipson and Smyth 2010), as scikit-learn has it.
  double p = 1.0;
};

/// What one view does for the score.
struct ViewScores {
  std::string name;
  Vector without;  ///< score of each fold, trained without the view; empty for the only view
  Vector alone;    ///< score of each fold, trained on this view only
  /// Mean score with all views minus that without this one; of a score that is better when smaller
  /// the other way round: > 0 where the view helps.
  std::optional<double> drop;
  /// Of the hypothesis that the drop is zero: the corrected resampled t-test (Nadeau and Bengio
  /// 2003) over folds, two-sided. Absent where all folds agree, or for the only view.
  std::optional<double> p_drop;
  /// drop / (score - mean score of permuted labels), where labels were permuted and the score is
  /// better than that. Shares of views that know the same need not add up to 1.
  std::optional<double> explained;
  /// Null hypothesis: the view is independent of labels and other views together.
  std::optional<PermutationTest> permuted;
};

struct Significance {
  std::string score;  ///< name
  bool larger_is_better = true;
  Vector folds;       ///< score of each fold; NaN where a fold has none, as AUC of one class
  double mean = 0.0;  ///< over the folds that have one
  /// Null hypothesis: labels are independent of the samples' data.
  std::optional<PermutationTest> labels;
  std::vector<ViewScores> views;  ///< in the order of first use
  std::vector<Warning> warnings;
  bool complete = true;  ///< nothing that was asked for is missing
};

/// Trains all models, in parallel, and tests them; the answer does not depend on the number of
/// threads. The permutations of labels are those of scikit-learn's permutation_test_score with
/// random_state = context.seed and groups = the fold that tests a sample.
///
/// After the deadline or a cancellation the answer is of what was finished: first the scores, then
/// the views, then permutations one after the other.
/// \throws ParameterError for an unknown score, folds that leave nothing to permute or split a
/// group, and losses that have no labels; DataError where no fold has such a score; ResourceError
/// where memory is short or time was up before there was a score; and as train()
[[nodiscard]] Significance significance(const Dataset& data, const TrainOptions& options,
                                        const SignificanceOptions& asked, const Context& context);

}  // namespace kernmix
