#pragma once
/// \file
/// The main job: data in, certified model out; prediction and verification of a model.

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel_similarity.hpp"
#include "kernmix/model.hpp"

namespace kernmix {

/// A given Gram or distance matrix: a view without columns.
struct MatrixView {
  std::string name;
  KernelInput kind = KernelInput::gram;  ///< gram or distance
  GivenMatrix matrix;  ///< training: n x n; prediction: new samples x n training samples, or x
                       ///< support vectors in model order
};

/// Samples with their views.
struct Dataset {
  Table table;              ///< may have no columns when only matrices are used
  std::vector<View> views;  ///< over table.columns
  std::vector<MatrixView> matrices;
};

/// What a view that has columns or distances takes where no kernels are asked for
/// (docs/reference/kernels.md). Classes need narrow Gaussians on some data; for numbers narrow ones
/// only fit noise, and smooth functions need wide ones.
inline constexpr const char* default_kernels = "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6})";
inline constexpr const char* default_kernels_of_numbers = "rbf(width=median*{0.5; 1; 2; 4; 8})";
/// Beside them, where a view is sparse (is_sparse()): cosines of samples, normalised once more by
/// the rule of the others.
inline constexpr const char* default_kernel_of_sparse = "linear";

/// Counts and indicators: at least 16 columns, no negative value, and 80 % zeros or more.
/// \param weights  how often each sample counts; {}: once
[[nodiscard]] bool is_sparse(const Table& table, const View& view, ConstSpan weights = {});

/// What training would have given, had it ended at one of its iterations.
struct TrainingMoment {
  double seconds = 0.0;  ///< of solving
  Index svm_solves = 0;
  /// For prediction: norms, bounds, witnesses and thresholds are 0 or empty but in the last one.
  Model model;
};

struct TrainOptions {
  std::vector<std::string> kernels;  ///< expressions; empty: default_kernels, and `precomputed`
  Regularizer regularizer;           ///< of kernel weights: l1
  Loss loss;                         ///< hinge; decides what is learned: see Target
  /// In C sum_i loss, > 0; without it that of default_cost(). 1 where nu replaces it.
  std::optional<double> C;
  Bias bias = Bias::free;
  std::map<std::string, double> class_weights;  ///< by label
  /// In place of class_weights: n / (K n_class) of the samples that are trained on, so that each
  /// fold of a cross-validation has those of its own training part. Samples count as often as their
  /// weight says.
  bool balanced_classes = false;
  /// Empty, or n numbers > 0: how often each sample counts. train() leaves samples of weight 0 out,
  /// and its model is that of the others; whatever deals samples out refuses them. A sample of
  /// weight 2 is two equal samples that no fold parts, in everything that is learned: scaling,
  /// widths, normalisation, the loss, default class weights, calibration and thresholds
  /// (docs/reference/sample-weights.md).
  Vector sample_weights;
  /// Of each sample, any numbers, or empty: the samples of a group (a patient, a batch) stay
  /// together wherever samples are dealt out, in folds of calibration and thresholds, resamples and
  /// permutations.
  std::vector<Index> groups;
  std::string positive;   ///< of a single task: label of the positive class
  ScalingChoice scaling;  ///< of columns, by view; auto chooses from the training samples
  /// Of kernels that do not say their own; without it that of default_normalization().
  std::optional<Normalization> normalization;
  bool assume_psd = false;  ///< kernels are not tested for being positive semidefinite
  /// Of kernels of given matrices that are indefinite: learned from the training samples, and new
  /// samples are changed in the same way, for which clip and flip need their values with all
  /// training samples.
  Repair repair = Repair::none;
  SolverOptions solver;

  /// Empty: training_scheme() chooses. A table with several labels has the scheme `labels`, one
  /// with named targets the scheme `targets`, whatever is asked here.
  std::optional<TaskScheme> scheme;
  /// What kernel weights many tasks have: "sum" (shared, for all alike), "minimax" (shared, for the
  /// task with the largest objective) or "separate" (each its own); of joint only the default.
  std::string coupling = "sum";
  /// Of labels: choose each threshold for the largest F1 on decision values that models of this
  /// many folds give the samples that they were not trained on; 0: all thresholds are 0.
  Index threshold_folds = 0;
  /// Of classes and labels: fit probabilities to decision values that models of `calibration_folds`
  /// folds give the samples that they were not trained on, weighted with the sample weights and not
  /// with those of classes. Labels then follow from probabilities (Calibration), and thresholds by
  /// cross-fitting are refused. Where time is up the model has no calibration, which a warning
  /// says.
  CalibrationMethod calibration = CalibrationMethod::none;
  /// 2 or more, and no class or side of a label has fewer samples; of groups, each class stands on
  /// the training side of every fold.
  Index calibration_folds = 5;
  /// TrainResult::similarity of so many kernels at most; 0: of none.
  Index similar_kernels = 0;
  /// Where set, of shared and joint weights: called after training for some fifty moments of it at
  /// most, evenly spread over its iterations, and for its end.
  std::function<void(const TrainingMoment&)> trace;
};

/// `variance` where dual variables sum to zero, so that centring would change only the scale
/// between kernels, and for losses of distances; `trace` for `one-class`, whose dual variables sum
/// to one, and for a bias that is `none` or `penalised`.
[[nodiscard]] Normalization default_normalization(const Loss& loss, Bias bias);
/// The rule that is asked for, else the default. \throws ParameterError for an unknown loss
[[nodiscard]] Normalization normalization_of(const TrainOptions& options);

/// 10 for classes and labels, where it lies in the middle of what held-out samples ask for; 1 for
/// numbers, of which a large C fits the noise, for novelty detection, and where nu replaces C.
[[nodiscard]] double default_cost(const Loss& loss);
/// The C that is asked for, else the default. \throws ParameterError for an unknown loss
[[nodiscard]] double cost_of(const TrainOptions& options);

/// The scheme that training takes: the one asked for; else `labels` of a table with several labels
/// for each sample, `targets` of one with named targets, `joint` where the loss joins classes,
/// `one_vs_rest` of more than two classes or where a coupling is asked for, and `single` of the
/// rest. \throws DataError for a table of fewer than two classes
[[nodiscard]] TaskScheme training_scheme(const Table& table, const TrainOptions& options);

/// What joint asks of the options: a loss of all classes together or the hinge, biases that are
/// free or none, no coupling, a solver that takes the regularizer. \throws ParameterError naming
/// what does not fit
void check_joint_options(const TrainOptions& options);

/// Seconds of the parts of a run.
struct Timings {
  double kernels = 0.0;
  double solve = 0.0;
  double certify = 0.0;  ///< the final certificate on the exact kernels
  double total = 0.0;
};

/// What a user should be told of a run beside its answer (docs/reference/warnings.md).
struct Warning {
  std::string code;     ///< "kernel-near-identity": one of those in docs/reference/warnings.md
  std::string message;  ///< what was seen, by name, and what to do
  std::vector<Index> kernels;  ///< those that it speaks of, if any
};

struct TrainResult {
  Model model;
  Status status = Status::stalled;  ///< converged: to the tolerance, on the exact kernels
  /// Separate tasks follow each other; their bounds are those of the task, `step` begins with its
  /// name.
  std::vector<Iteration> history;
  Index svm_solves = 0;
  Index inner_iterations = 0;
  Index bank_passes = 0;
  MemoryPlan plan;
  Timings seconds;
  std::vector<Warning> warnings;
  KernelSimilarity similarity;  ///< of no kernels where none was asked for, or time ran out
};

/// Checks every parameter, expands the kernels, plans the memory, builds the bank, solves, and
/// certifies the answer on the exact kernels in double precision. All tasks use the same kernels,
/// normalised on all samples.
/// \throws ParameterError, DataError, ResourceError before any kernel is computed where possible
[[nodiscard]] TrainResult train(const Dataset& data, const TrainOptions& options,
                                const Context& context);

/// Of n samples.
struct Prediction {
  Matrix task_decision;  ///< n x T: sum_m f_mk(x) + b_k, of a regression the predicted number
  /// n x outputs: task_decision; of one-vs-one, for each class, votes of the pairs plus their
  /// summed decision values squeezed into (-1/3, 1/3), as scikit-learn has it.
  Matrix decision;
  /// Of classes and novelty detectors, the place in Model::names: of a single task by the sign, 0
  /// counting as positive; of many classes the largest decision, the first of equals. Where the
  /// model is calibrated labels follow from the probability instead (Calibration).
  std::vector<Index> winner;
  std::vector<unsigned char> has_label;  ///< of labels: n x T, row-major, 1 or 0
  /// n x outputs: of the positive class of a single task, of each class (rows add up to 1), of each
  /// label. By the maps of a calibrated model; else 1 / (1 + exp(-decision)), where the loss gives
  /// one and classes do not compete; else empty.
  Matrix probability;
  /// n x (T x kernels with weight > 0), those to one task together, when asked for: their sum over
  /// the kernels is the decision value of the task less its bias.
  Matrix contributions;
  std::vector<Index> contributing;  ///< the indices of these kernels
};
/// \throws DataError when a column that the model needs is missing
[[nodiscard]] Prediction predict(const Model& model, const Dataset& data, const Context& context,
                                 bool contributions = false);

/// One thing that a model says, computed again from its training data and its settings.
struct Claim {
  std::string name;  ///< data, support, settings, scaling, kernels, predictions, weights, dual,
                     ///< bounds, bias, status or calibration
  bool agrees = true;
  std::string finding;  ///< what does not agree, a sentence; empty where it does
  /// The two numbers that the finding is about; equal where it is not about numbers.
  double reported = 0.0;
  double recomputed = 0.0;
};

/// What verification says of a model (docs/explanation/problem.md, "What verification computes").
struct Verification {
  std::vector<Claim> claims;  ///< in the order above: those that could be checked
  Bounds recomputed;          ///< zeros unless it was
  Bounds reported;
  Vector biases;  ///< the best one of each task, where the certificate was recomputed
  /// Largest of the differences of the parts of the certificate over max(|primal|, |dual|);
  /// infinite where none was computed.
  double difference = std::numeric_limits<double>::infinity();
  /// The data has the fingerprint of the training data. Another order of samples is recognised by
  /// their ids where training data and this data have them.
  bool same_data = false;
  bool agrees = false;  ///< same_data, and every claim does
};

/// The model from scratch: everything that it says, computed again from the training data and its
/// settings; kernels exactly, in double precision.
/// \throws DataError when a column, matrix or the labels that training read are missing
[[nodiscard]] Verification verify(const Model& model, const Dataset& data, const Context& context);

}  // namespace kernmix
