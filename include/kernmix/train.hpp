#pragma once
/// \file
/// Training of a certified model, prediction with it, and its verification.

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/classical/weight_penalty.hpp"
#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/kernel_similarity.hpp"
#include "kernmix/model.hpp"

namespace kernmix {

/// A given Gram or distance matrix: a view without columns.
struct MatrixView {
  std::string name;
  KernelInput kind = KernelInput::gram;  ///< gram or distance
  GivenMatrix matrix;  ///< training: n x n; prediction: new samples x n training samples, or x
                       ///< support vectors in model order
  /// The samples with a row (in training also a column) of their own, ascending; rows of the others
  /// are zero and say nothing. nullopt: all.
  std::optional<std::vector<Index>> present = std::nullopt;
};

/// Samples with their views.
struct Dataset {
  Table table = {};              ///< may have no columns when only matrices are used
  std::vector<View> views = {};  ///< over table.columns
  std::vector<MatrixView> matrices = {};
  /// Of a part of a larger data set: views that some of its samples lack. Their kernels have the
  /// mean of the training samples as origin, as they would in the larger one.
  std::vector<std::string> incomplete = {};
};

/// A view that some samples lack: of a table those without a value in any of its columns, of a
/// matrix those without a row.
struct Presence {
  View view;                  ///< without columns: a matrix
  PresentSamplesPtr present;  ///< the samples that have it
  /// Samples whose mean is the origin of its kernels, ascending; {}: all present ones.
  std::vector<Index> origin = {};
};
/// None if there is only one view: its empty rows are missing cells.
[[nodiscard]] std::vector<Presence> incomplete_views(const Dataset& data);

/// The samples that lack no view, ascending.
[[nodiscard]] std::vector<Index> samples_with_all_views(const Dataset& data);
/// The samples that have the view of this name, ascending. \throws DataError without it
[[nodiscard]] std::vector<Index> samples_with_view(const Dataset& data, const std::string& view);
/// A data set of these samples, which lack no view.
[[nodiscard]] Dataset complete_part(const Dataset& data, const std::vector<Index>& samples);

/// Training: puts rows and columns of matrices with names (GivenMatrix::names()) into the order of
/// the table's ids, and says in Table::notes how many other samples a matrix has, which are left
/// out. Without a table the first matrix with names gives the ids. Names that only count (1, 2, ...
/// or 0, 1, ..., with or without V or X in front) are names only where they are the ids. Matrices
/// without names stay as they are. With more than one view samples may have no row: they lack the
/// matrix (MatrixView::present).
/// \throws DataError for ids without row or column, rows and columns of different names, names
/// that occur twice, and names without ids in the table to compare them with; ResourceError if the
/// matrices in another order exceed the memory budget, or the context says stop
void join_training_matrices(Dataset& data, const Context& context = {});

/// Prediction: the same for rows, which are new samples. Columns keep their names, by which
/// predict() finds the support vectors. New samples may lack the matrices of Dataset::incomplete.
void join_new_matrices(Dataset& data, const Context& context = {});

/// Kernels of a view with columns or distances if none are requested (docs/reference/kernels.md).
/// Some classification problems need narrow Gaussians; in regression narrow ones only fit noise,
/// and smooth functions need wide ones.
inline constexpr const char* default_kernels = "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6})";
inline constexpr const char* default_kernels_of_numbers = "rbf(width=median*{0.5; 1; 2; 4; 8})";
/// The default kernels of a product, on every view: a learned width for each column.
inline constexpr const char* default_kernels_of_products = "rbf on *, each";
/// An additional default kernel of sparse views (is_sparse()): the cosine of samples, normalised by
/// the same rule as the others.
inline constexpr const char* default_kernel_of_sparse = "linear";

/// Replaces the columns of words (Categories::as_indicators) by their indicators, and adds those of
/// missing cells as the view `missing` if the rule has indicators. The views follow.
/// \throws DataError for a column with more than two words, in more than half of the samples
///         different ones; ParameterError if a view is called `missing` already; ResourceError if
///         the indicators do not fit into the memory
void make_indicators(Dataset& data, MissingRule rule, const Context& context = {});
/// The indicators of a model, for prediction. Words that training did not see have no indicator;
/// Table::notes names them. \throws DataError for a column that is missing
void make_indicators(Dataset& data, const std::vector<Indicators>& known,
                     const Context& context = {});
/// The columns that these columns are made of, in order.
[[nodiscard]] std::vector<std::string> sources_of(const std::vector<std::string>& columns,
                                                  const std::vector<Indicators>& indicators);

/// How training reads words and missing cells, which new samples need, too.
struct ColumnReading {
  std::vector<Categories> categories;
  std::vector<Indicators> indicators;
  std::vector<std::string> missing_codes;
  bool keep_missing = false;
  std::vector<View> lacking = {};  ///< views of columns that some training samples lack
  std::vector<View> views = {};    ///< views of columns, for messages on missing columns
};
[[nodiscard]] ColumnReading column_reading(const Model& model);
/// Tells new samples which views they may lack, for make_indicators(). \param lacking  of a model
void expect_absence(Dataset& data, const std::vector<View>& lacking,
                    const std::vector<Indicators>& indicators);
[[nodiscard]] ColumnReading column_reading(const Dataset& training, MissingRule rule);

/// New samples with `columns` of a training table, read as training read them.
/// \param options  of the files; what `reading` determines is replaced
[[nodiscard]] Table read_new_table(const std::vector<std::string>& files,
                                   const std::vector<std::string>& columns,
                                   const ColumnReading& reading, ReadOptions options);

/// The options by which read_new_table() reads: the columns that the model reads, with its words
/// and missing cells.
[[nodiscard]] ReadOptions new_table_options(const std::vector<std::string>& columns,
                                            const ColumnReading& reading, ReadOptions options);

/// True for counts: at least 16 columns that are no indicators, no negative value, and at least
/// 80 % zeros.
/// \param weights of the samples; {}: all 1
[[nodiscard]] bool is_sparse(const Table& table, const View& view, ConstSpan weights = {});

/// The model that training would have returned at one of its iterations.
struct TrainingSnapshot {
  double seconds = 0.0;  ///< of solving
  Index svm_solves = 0;
  /// For prediction only: norms, bounds, witnesses and thresholds are 0 or empty except in the last
  /// one.
  Model model;
};

/// How kernels are combined.
enum class Combination {
  sum,     ///< sum_m d_m K_m with the weights of the regularizer: a certified optimum
  product  ///< prod_m k_m^d_m of Gaussian kernels (Product): a local optimum of the weights
};

/// Which samples are landmarks (docs/how-to/landmarks.md): every kernel is then replaced by its
/// Nystroem kernel, k(x, P) (K[P, P] + jitter I)^-1 k(P, z), and training is linear in the number
/// of samples.
struct LandmarkRule {
  enum class Choice {
    automatic,  ///< landmarks where the exact kernels exceed the memory budget
    none,       ///< the kernels as written
    count,      ///< by randomly pivoted Cholesky
    listed      ///< by the ids of samples
  };
  Choice choice = Choice::automatic;
  Index count = 0;
  std::string file = {};              ///< has the ids, one in a line, or
  std::vector<std::string> ids = {};  ///< these are they
  bool of_part = false;  ///< of a part of the samples, which may lack some of the landmarks
  /// "auto", "none", the number, or the file.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const LandmarkRule&, const LandmarkRule&) = default;
};
/// \throws ParameterError for a number below 1
[[nodiscard]] LandmarkRule parse_landmarks(const std::string& text);

/// join_training_matrices() where landmarks are listed by their ids: a Gram matrix may have their
/// columns alone, n x R, with names or in the order of the list and of the samples. It stands for
/// its Nystroem kernel, K[:, P] K[P, P]^-1 K[P, :], which is held as n R numbers.
/// \throws DataError also if K[P, P] is not symmetric or not positive semidefinite
void join_training_matrices(Dataset& data, const LandmarkRule& landmarks, const Context& context);

struct TrainOptions {
  std::vector<std::string> kernels =
      {};                        ///< expressions; empty: default_kernels, and `precomputed`
  Regularizer regularizer = {};  ///< of the kernel weights; default l1
  Loss loss = {};                ///< default hinge; determines the kind of target, see Target
  /// Factor of the loss in C sum_i loss, > 0; default: default_cost(). 1 if the loss has nu
  /// instead.
  std::optional<double> C = {};
  Bias bias = Bias::free;
  std::map<std::string, double> class_weights = {};  ///< by label
  /// Instead of class_weights: n / (K n_class), counted in the training samples with their weights.
  /// Each fold of a cross-validation thus has the weights of its own training part.
  bool balanced_classes = false;
  /// Empty, or n numbers > 0: the multiplicity of each sample. train() omits samples of weight 0;
  /// functions that make folds or resamples reject them. A sample of weight 2 is equivalent to two
  /// equal samples in the same fold, in everything that is estimated: scaling, widths,
  /// normalisation, the loss, default class weights, calibration and thresholds
  /// (docs/reference/sample-weights.md).
  Vector sample_weights = {};
  /// Group of each sample (a patient, a batch) as an arbitrary number, or empty. The samples of a
  /// group stay together in folds of calibration and thresholds, in resamples and in permutations.
  std::vector<Index> groups = {};
  std::string positive = {};  ///< label of the positive class of a single task
  ScalingChoice scaling =
      {};  ///< of the columns of each view; auto chooses from the training samples
  /// Missing cells, which take a number that is fitted on the training samples. Indicators of a
  /// table are its own (mark_missing()).
  MissingRule missing = MissingRule::refuse;
  /// Samples that lack a view. train() leaves them out with `drop`; functions that make folds or
  /// resamples then ask for data without them.
  AbsentRule absent = AbsentRule::keep;
  /// Normalization of kernels without a rule of their own; default: default_normalization().
  std::optional<Normalization> normalization = {};
  /// A product needs two classes or one number for each sample, and the default regularizer and
  /// solver.
  Combination combination = Combination::sum;
  PenaltyRule weight_penalty = {};          ///< r(d) of a product
  std::optional<double> weight_start = {};  ///< initial d_m of a product, > 0; default 1 / M
  bool assume_psd = false;  ///< skip the test that kernels are positive semidefinite
  /// Repair of indefinite kernels of given matrices. It is fitted on the training samples and
  /// applied to new samples; clip and flip therefore need the values of new samples with all
  /// training samples.
  Repair repair = Repair::none;
  LandmarkRule landmarks = {};
  /// With landmarks: bounds of the optimum on the kernels as written, too
  /// (Model::exact_certificate).
  bool exact_certificate = false;
  SolverOptions solver = {};

  /// Empty: training_scheme() chooses. A table with several labels always has the scheme `labels`,
  /// and one with named targets the scheme `targets`.
  std::optional<TaskScheme> scheme = {};
  /// Kernel weights of several tasks: "sum" (shared, for the sum of the objectives), "minimax"
  /// (shared, for the largest objective) or "separate" (own weights for each task). A joint problem
  /// has only the default.
  std::string coupling = "sum";
  /// Multi-label data: number of cross-fitting folds on whose held-out decision values the
  /// threshold of each label maximises F1; 0: all thresholds are 0.
  Index threshold_folds = 0;
  /// Classes and labels: fit probabilities to held-out decision values from `calibration_folds`
  /// cross-fitting folds, with sample weights but without class weights. Predicted labels then
  /// follow from the probabilities (Calibration), and threshold_folds must be 0. If time runs out,
  /// the model has no calibration and a warning.
  CalibrationMethod calibration = CalibrationMethod::none;
  /// At least 2. Each class, and both values of each label, need at least this number of samples;
  /// with groups, the training part of every fold contains each class.
  Index calibration_folds = 5;
  /// Largest number of kernels for which TrainResult::similarity is computed; 0: none.
  Index similar_kernels = 0;
  /// With shared or joint weights: called after training for at most about fifty iterations, evenly
  /// spaced, and for the final model.
  std::function<void(const TrainingSnapshot&)> trace = {};
};

/// `variance` if the dual variables sum to zero, because centring then changes nothing but the
/// relative scale of kernels, and for losses of distances; `trace` for `one-class`, whose dual
/// variables sum to one, and for the bias `none` or `penalised`.
[[nodiscard]] Normalization default_normalization(const Loss& loss, Bias bias);
/// The requested rule, or the default. \throws ParameterError for an unknown loss
[[nodiscard]] Normalization normalization_of(const TrainOptions& options);

/// 10 for classes and labels, the middle of the values that cross-validation selects; 1 in
/// regression, where a large C fits noise, for novelty detection, and for losses with nu.
[[nodiscard]] double default_cost(const Loss& loss);
/// The requested C, or the default. \throws ParameterError for an unknown loss
[[nodiscard]] double cost_of(const TrainOptions& options);

/// The scheme of training: the requested one; otherwise `labels` for multi-label data, `targets`
/// for named targets, `joint` if the loss treats all classes together, `one_vs_rest` for more than
/// two classes or if a coupling is requested, and `single` in all other cases. \throws DataError
/// for a table with fewer than two classes
[[nodiscard]] TaskScheme training_scheme(const Table& table, const TrainOptions& options);

/// Checks the options of a joint problem: a loss of all classes together or the hinge, a bias that
/// is free or none, no coupling, and a solver for the regularizer. \throws ParameterError naming
/// the option that does not fit
void check_joint_options(const TrainOptions& options);

/// Seconds in each stage of a run.
struct Timings {
  double kernels = 0.0;
  double solve = 0.0;
  double certify = 0.0;  ///< final certificate on the exact kernels
  double total = 0.0;
};

/// A fact about a run that may mislead users who do not know it (docs/reference/warnings.md).
struct Warning {
  std::string code;            ///< for example "kernel-near-identity"
  std::string message;         ///< what was found, with names, and the remedy
  std::vector<Index> kernels;  ///< the kernels concerned, if any
};

struct TrainResult {
  Model model;
  Status status = Status::stalled;  ///< converged: within the tolerance on the exact kernels
  /// Separate tasks follow one another: bounds are those of the task, and `step` begins with its
  /// name.
  std::vector<Iteration> history;
  Index svm_solves = 0;
  Index inner_iterations = 0;
  Index bank_passes = 0;
  MemoryPlan plan;
  Timings seconds;
  std::vector<Warning> warnings;
  KernelSimilarity similarity;  ///< empty if not requested or if time ran out
};

/// Checks all parameters, expands the kernel expressions, plans the memory, computes the kernels,
/// solves, and certifies the answer on the exact kernels in double precision. All tasks use the
/// same kernels, normalised on all samples.
/// \throws ParameterError, DataError, ResourceError if possible before any kernel is computed
[[nodiscard]] TrainResult train(const Dataset& data, const TrainOptions& options,
                                const Context& context);

/// Predictions for n samples.
struct Prediction {
  Matrix task_decision;  ///< n x T: sum_m f_mk(x) + b_k; in regression the predicted number
  /// n x outputs: task_decision; for one-vs-one the votes for each class plus the sum of its
  /// decision values mapped to (-1/3, 1/3), as in scikit-learn.
  Matrix decision;
  /// Predicted class of classifiers and novelty detectors, an index into Model::names: by the sign
  /// for a single task (0 is positive), the largest decision value for more classes (the first of
  /// ties). In a calibrated model the class follows from the probabilities (Calibration).
  std::vector<Index> winner;
  std::vector<unsigned char> has_label;  ///< multi-label data: n x T, row-major, 1 or 0
  /// n x outputs: the probability of the positive class (single task), of each class (rows sum to
  /// 1), or of each label. It comes from calibration if the model has one; otherwise it is 1 / (1 +
  /// exp(-decision)) if the loss models it and outputs are independent; otherwise empty.
  Matrix probability;
  /// If requested, n x (T x kernels with weight > 0), task by task: the sum over the kernels is the
  /// decision value of the task minus its bias.
  Matrix contributions;
  std::vector<Index> contributing;  ///< the indices of these kernels
  /// Of a model with views that some training samples lack, for each sample the views with weight
  /// that it has, joined by '+': "rna+cna"; "" for one that has none. Otherwise empty.
  std::vector<std::string> views = {};
};
/// The columns of matrices with names are found by the ids of the model's support vectors, those
/// without names by position.
/// \throws DataError if a column that the model needs is missing
[[nodiscard]] Prediction predict(const Model& model, const Dataset& data, const Context& context,
                                 bool contributions = false);

/// One statement of a model file, recomputed from the training data and the settings.
struct Claim {
  std::string name;  ///< data, support, settings, scaling, kernels, predictions, weights, dual,
                     ///< bounds, landmarks, bias, stationarity, status or calibration
  bool agrees = true;
  std::string finding;  ///< a sentence about the disagreement; empty if none
  /// The two values in the finding; equal if it is not about numbers.
  double reported = 0.0;
  double recomputed = 0.0;
};

/// Result of a verification (docs/explanation/problem.md, "What verification computes").
struct Verification {
  std::vector<Claim> claims;  ///< those that could be checked, in the order above
  Bounds recomputed;          ///< zeros if the certificate was not recomputed
  Bounds reported;
  /// The same on the kernels as written, if a model with landmarks has bounds there.
  std::optional<Bounds> exact_recomputed = std::nullopt;
  std::optional<Bounds> exact_reported = std::nullopt;
  Vector biases;  ///< the optimal bias of each task, if the certificate was recomputed
  /// Largest difference between reported and recomputed parts of the certificate, divided by
  /// max(|primal|, |dual|); infinite if it was not recomputed.
  double difference = std::numeric_limits<double>::infinity();
  /// The data has the fingerprint of the training data. Samples in another order are recognised if
  /// both have ids.
  bool same_data = false;
  bool agrees = false;  ///< same_data, and all claims agree
};

/// Recomputes all statements of a model from the training data and the settings, with exact kernels
/// in double precision.
/// \throws DataError if a column, a matrix or the labels of training are missing
[[nodiscard]] Verification verify(const Model& model, const Dataset& data, const Context& context);

}  // namespace kernmix
