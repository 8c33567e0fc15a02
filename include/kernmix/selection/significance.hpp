#pragma once
/// \file
/// Permutation tests of a model and of its views: cross-validated scores with permuted labels,
/// without each view, with each view alone, and with the samples of a view permuted.
///
/// Kernels are fitted on the training samples of each fold, as in cross-validation, and evaluated
/// once for all models of the fold. Models with calibration or thresholds fit kernels in their
/// inner folds, too, and are trained from the data. All scores are those of cross_validate().
///
/// Sample weights stay with the samples while labels are permuted, unless they depend on the
/// labels, such as weights that balance classes: these move with the labels, and kernels are
/// recomputed.
///
/// With options.groups whole groups are permuted instead of samples: labels between groups of any
/// size if each group has one label, otherwise between groups of equal size. Samples of views are
/// always permuted between groups of equal size.
///
/// Labels are permuted among samples that are in the same part, training or test, of every fold.
/// With K folds these are the samples that are tested together. Training sets keep their samples
/// and classes, so the test is exact and no kernel is recomputed. With repeated folds almost no two
/// samples are in the same part of all folds. Then labels are permuted among all samples, and each
/// sample takes over the place in the folds along with the label. This test is exact, too, but
/// computes kernels for every permutation.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/counted_views.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/selection/fitted_steps.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

struct SignificanceOptions {
  std::vector<Fold> folds = {};  ///< at least two
  /// A metric of scores(); empty: default_score().
  std::string score = {};
  Index permutations = 0;
  bool views = false;  ///< also train without each view and with each view alone
  /// Also permute the samples of each view: `permutations` more models for each view and fold.
  bool permute_views = false;
  /// Refitted on the training part of each fold and, for permuted labels, for each permutation,
  /// whose kernels are then recomputed.
  FittedSteps steps = {};
  ViewOfMatrix view_of_matrix =
      {};  ///< the views of computed matrices, with which they are left out
  /// Block of each sample, such as its site: labels and views are permuted within blocks only,
  /// which tests their relation given the block. Empty: all samples are one block. Groups are
  /// exchanged within blocks of whole groups; blocks inside of groups, such as the groups
  /// themselves, exchange single samples.
  std::vector<Index> within = {};
};

/// Checks the options before any computation. \throws ParameterError for an unknown score, fewer
/// than two folds, or a number out of range
void check_options(const SignificanceOptions& options);

/// Scores under the null hypothesis, and the p-value of the observed score.
struct PermutationTest {
  Vector permuted;    ///< scores of the finished permutations
  double mean = 0.0;  ///< their mean
  /// (1 + number of permuted scores at least as good as the observed one) / (1 + number of them):
  /// Ojala and Garriga (JMLR 2010), equation (1), which counts the observed score as a permutation
  /// (Phipson and Smyth 2010), as in scikit-learn.
  double p = 1.0;
};

/// Contribution of one view to the score.
struct ViewScores {
  std::string name;
  Vector without;  ///< score of each fold, trained without the view; empty for the only view
  Vector alone;    ///< score of each fold, trained on this view only
  /// Mean score with all views minus the mean score without this one, with the sign such that > 0
  /// means that the view helps.
  std::optional<double> drop;
  /// p-value for a drop of zero: the two-sided corrected resampled t-test over folds (Nadeau and
  /// Bengio 2003). Absent if all folds have the same drop, or for the only view.
  std::optional<double> p_drop;
  std::optional<double> p_holm;  ///< p_drop, adjusted for all views (Holm 1979)
  /// drop / (score - mean score of permuted labels), if labels were permuted and the score is
  /// better than that mean. The values of redundant views need not sum to 1.
  std::optional<double> explained;
  /// Null hypothesis: the view is jointly independent of the labels and the other views.
  std::optional<PermutationTest> permuted;
};

struct Significance {
  std::string score;  ///< name
  bool larger_is_better = true;
  Vector folds;       ///< score of each fold; NaN if it is undefined, as AUC with one class
  double mean = 0.0;  ///< over the folds with a score
  /// Null hypothesis: labels are independent of the samples' data.
  std::optional<PermutationTest> labels;
  std::vector<ViewScores> views;  ///< in order of first use
  std::vector<Warning> warnings;
  bool complete = true;  ///< all requested results are present
};

/// Trains all models in parallel and tests them; the result does not depend on the number of
/// threads. The label permutations are those of scikit-learn's permutation_test_score with
/// random_state = context.seed and groups = the test fold of each sample.
///
/// After the deadline or a cancellation the result contains what was finished; the order is scores,
/// views, permutations.
/// \throws ParameterError for an unknown score, for folds that leave nothing to permute or split a
/// group, and for losses without labels; DataError if the score is undefined on all folds;
/// ResourceError if memory is insufficient or time runs out before the first score; and as train()
[[nodiscard]] Significance significance(const Dataset& data, const TrainOptions& options,
                                        const SignificanceOptions& asked, const Context& context);

}  // namespace kernmix
