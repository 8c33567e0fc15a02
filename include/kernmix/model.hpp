#pragma once
/// \file
/// A trained model with everything that prediction and verification need, and its file format
/// (docs/reference/formats.md).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/calibration.hpp"
#include "kernmix/certificate.hpp"
#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// One base kernel of a trained model.
struct ModelKernel {
  KernelDescription description;
  /// column_means are those of the support vectors, 0 for those without the view, and kept only for
  /// kernels with weight; weights are those of the model, origin that of the presence of the view
  FittedNormalization normalization;
  double weight = 0.0;  ///< d_m, on the normalised kernel: the mean of its weights over the tasks
  double norm = 0.0;    ///< ||f_m|| = d_m sqrt(q_m): over the tasks sqrt(sum_k ||f_mk||^2)
  FittedRepair repair = {};  ///< eigenvectors are kept only for kernels with weight
  /// d_m on the kernel as the user wrote it (weight * normalization.scale); for cosine and centred
  /// kernels it refers to the cosined, centred one.
  [[nodiscard]] double raw_weight() const { return weight * normalization.scale; }
};

/// What was asked for: enough to train again.
struct ModelSettings {
  Loss loss;
  Regularizer regularizer;
  std::string solver;
  std::string status;
  std::string bias = "free";          ///< rule for the bias: free, none or penalised
  double C = 1.0;                     ///< 1 for losses with nu
  std::vector<double> class_weights;  ///< of each class in Model::names; empty without classes
  std::string missing = "refuse";     ///< rule for missing cells, see MissingRule
  std::string absent = "keep";        ///< rule for samples that lack a view, see AbsentRule
  std::string landmarks = "none";     ///< none, the number asked for, or listed (LandmarkRule)
  double tolerance = 1e-3;
  std::uint64_t seed = 0;
  std::string version;  ///< of kernmix
};

/// "classes", "numbers" or "none".
[[nodiscard]] std::string target_name(Target target);
/// \throws DataError for any other name
[[nodiscard]] Target parse_target(const std::string& name);

/// The kind of tasks.
enum class TaskScheme {
  single,       ///< one task: two classes, numbers, or samples without labels
  one_vs_rest,  ///< one task for each of K classes
  one_vs_one,   ///< one task for each pair of classes, on their samples
  joint,        ///< one problem of all classes (Zien and Ong, ICML 2007); no coupling to choose
  labels,       ///< one task for each of T labels, of which a sample has any number
  targets       ///< one task for each of T numbers of a sample
};
/// "single", "one-vs-rest", "one-vs-one", "joint", "labels" or "targets".
[[nodiscard]] std::string scheme_name(TaskScheme scheme);
/// \throws ParameterError naming the known schemes of many tasks
[[nodiscard]] TaskScheme parse_scheme(const std::string& text);

/// One task of a model: a class against the rest or against another class, a label or a number.
struct TaskModel {
  std::string name;     ///< "setosa", "setosa vs virginica"; empty of a single task
  Index positive = 0;   ///< class, label or target, in Model::names
  Index negative = -1;  ///< for two classes; otherwise -1: the rest, or no class
  /// Its support vectors, ascending: indices into Model::support, or with landmarks training rows.
  std::vector<Index> support;
  Vector coefficients;     ///< dual variables a of these
  Vector witness;          ///< a second dual vector on these, of the lower bound, or empty
  double bias = 0.0;       ///< b; for a one-class model minus its threshold
  double threshold = 0.0;  ///< for labels: predicted if the decision value is at least this
  /// P_k: of the task's own SVM at the final weights; for separate tasks of its own problem; for a
  /// joint model 0, like the gap, because its classes have no problem of their own.
  double primal = 0.0;
  double gap = 0.0;  ///< of the same
};

/// Maps from decision values to probabilities. With maps, the label follows from the
/// probability, so that both are consistent: for a single task the positive class if p >
/// 0.5, for many classes the most probable, in a tie the first, for labels each with p > 0.5.
struct Calibration {
  CalibrationMethod method = CalibrationMethod::none;
  std::vector<ProbabilityMap> maps;  ///< one for each output; empty: the model is not calibrated
  Index folds = 0;                   ///< number of cross-fitting folds
  std::vector<Index>
      groups;          ///< groups of the training samples, kept together by the folds; or empty
  std::string solver;  ///< requested solver of its models
  Index max_iterations = 0;  ///< and their maximum number of outer iterations
  [[nodiscard]] bool empty() const { return maps.empty(); }
};

/// A view that some samples lack, whose kernels have a mean of training samples as origin.
struct ModelPresence {
  View view;                   ///< without columns: a matrix, or all_views
  Index samples = 0;           ///< training samples that have it
  std::vector<Index> support;  ///< rows of Model::support that have it, ascending
  std::vector<Index> origin;   ///< rows of Model::support whose mean is the origin, ascending;
                               ///< empty if no kernel of the view has weight
};

/// A learned product of Gaussian kernels (generalised MKL, docs/reference/regularizers/gmkl.md):
///
///   K(d) = prod_m k_m^d_m,   min_{d >= 0}  r(d) + the primal of the SVM on K(d)
///
/// The weights d are a local optimum; the certificate of the model is that of the SVM on K(d).
struct Product {
  std::vector<ModelKernel> factors;  ///< k_m with its weight d_m; their norms are 0
  std::string penalty;               ///< r(d), as PenaltyRule::text()
  double start = 0.0;                ///< the initial weight of each factor
  double stationarity = 0.0;         ///< GmklSolution::stationarity
  Index iterations = 0;              ///< steps of the descent
};

/// The functions of a model with landmarks x_p, p = 1 .. R (docs/how-to/landmarks.md):
///
///   f_mk = d_m sum_p W_k(m, p) k_m(x_p, .),   W_k(m, .) = A_m^-1 K_m[P, :] a_k,
///   A_m = K_m[P, P] + jitter_m I
struct LandmarkFunctions {
  Vector jitter;                     ///< of each kernel, > 0
  std::vector<Matrix> coefficients;  ///< W_k of each task, M x R
  /// The ids of the samples with dual variables, in the order of training, by which verify() finds
  /// them in data of another order; empty: unknown.
  std::vector<std::string> dual_ids = {};
};

/// T >= 1 tasks on the same kernels.
struct Model {
  ModelSettings settings;
  Target target = Target::classes;  ///< kind of targets
  TaskScheme scheme = TaskScheme::single;
  std::string coupling = "sum";  ///< "sum", "minimax" or "separate"; for a joint model "joint"
  /// K classes, T labels or T targets. For a single task: its negative and its positive class,
  /// "outlier" and "inlier" for novelty detection, empty for regression.
  std::vector<std::string> names;
  std::vector<TaskModel> tasks;
  Matrix weights;  ///< kernel weights: 1 x M, shared, or T x M, separate
  Matrix norms;    ///< T x M: ||f_mk||
  Vector gamma;    ///< weight of each task in the dual: 1 except for minimax
  /// On the exact kernels of the training data. For separate tasks the sum of their bounds.
  /// With landmarks on the kernels of the landmarks.
  Bounds certificate;
  /// With landmarks, if it was asked for: bounds of the optimum on the kernels as written.
  std::optional<Bounds> exact_certificate = std::nullopt;
  Calibration calibration;

  /// Table::label_type: type of the classes before they became text; empty: unknown.
  std::string class_type;
  /// All columns of the training table, in its order, including those that no kernel reads; empty:
  /// unknown, as in files of kernmix 0.1.
  std::vector<std::string> table_columns;
  std::vector<Categories> categories;      ///< categories of table columns of words
  std::vector<Indicators> indicators;      ///< of words and of missing cells
  std::vector<std::string> missing_codes;  ///< what stands for a missing cell beside an empty one
  std::vector<std::string> columns;        ///< feature columns that the kernels with weight use
  Scaling scaling;                         ///< of `columns`
  std::vector<ScaledView> views;     ///< columns that kernels read, with or without weight, by view
  std::vector<ModelKernel> kernels;  ///< all M, with zero weights; of a product the product alone
  std::optional<Product> product;    ///< if the kernel is a learned product
  Index training_samples = 0;        ///< n
  std::uint64_t training_hash = 0;   ///< of targets, columns' values, matrices: verify compares it
  Vector sample_weights;             ///< n numbers > 0, or empty: all 1
  /// Sample weights were given and apply to all steps of training, as repetitions. False
  /// for files of kernmix 0.1, where weights were only factors of C.
  bool weights_repeat = false;
  std::vector<std::string> matrices;          ///< names of given matrix views, in order
  std::vector<ModelPresence> presences = {};  ///< of the views that some samples lack
  std::optional<LandmarkFunctions> landmarks = std::nullopt;  ///< if kernels have landmarks
  /// Training rows that prediction needs, ascending: the landmarks, or those of support vectors or,
  /// if a centred kernel has weight and the dual variables do not sum to zero, all rows.
  std::vector<Index> support;
  std::vector<std::string> support_ids;  ///< their sample ids, or empty
  Matrix support_values;                 ///< |support| x |columns|, unscaled
  SparseMatrix sparse_support;           ///< the same of a sparse table, in place of support_values

  [[nodiscard]] bool single() const { return scheme == TaskScheme::single; }
  [[nodiscard]] bool of_labels() const { return scheme == TaskScheme::labels; }
  [[nodiscard]] bool of_targets() const { return scheme == TaskScheme::targets; }
  /// Whether exactly one of several outputs is true for a sample.
  [[nodiscard]] bool classes_compete() const { return !single() && !of_labels() && !of_targets(); }
  /// Columns of Prediction::decision.
  [[nodiscard]] Index outputs() const { return single() ? 1 : static_cast<Index>(names.size()); }
  /// Kernel weights of task k, length M.
  [[nodiscard]] ConstSpan task_weights(Index k) const {
    return weights.row(weights.rows == 1 ? 0 : k);
  }
};

/// Samples whose coefficient is not zero in some task.
[[nodiscard]] Index support_vectors(const Model& model);

/// The weight of each training sample in all steps of training; {}: 1.
[[nodiscard]] ConstSpan sample_counts(const Model& model);

/// The presence of a view; null: all training samples have it.
[[nodiscard]] const ModelPresence* presence_in(const Model& model, const std::string& view);

/// ModelKernel::weight of each kernel.
[[nodiscard]] Vector kernel_weights(const Model& model);

/// Kernels with weight > 0.
[[nodiscard]] Index kernels_used(const Model& model);

/// The objective of the weights of a product: r(d) plus the primal of the SVM.
[[nodiscard]] double product_objective(const Product& product, const Bounds& certificate);

/// The training rows with a dual variable, ascending: Model::support or, with landmarks, those of
/// all tasks.
[[nodiscard]] std::vector<Index> dual_rows(const Model& model);

/// The dual variables of all tasks, |dual_rows| x T, 0 for samples outside of a task's support.
[[nodiscard]] Matrix coefficients_of(const Model& model);

/// \throws DataError naming a part of the model that is inconsistent or out of range
void check_model(const Model& model);

/// The bytes of a model file, and back. \throws DataError from check_model, or as load_model
[[nodiscard]] std::string encode_model(const Model& model);
[[nodiscard]] Model decode_model(std::string_view bytes);

/// Writes to a temporary file next to `file` and renames it, so that the old file survives any
/// failure.
/// \throws ResourceError when the file cannot be written, DataError from check_model
void save_model(const Model& model, const std::string& file);

/// \throws DataError for a file that is not a model, of a newer version, truncated, altered
///         (checksum) or inconsistent. Never allocates more than a small multiple of the file size.
/// \throws ResourceError for a file beyond the memory allowed, or where the context says stop
[[nodiscard]] Model load_model(const std::string& file, const Context& context = {});

/// The checksum that ends a model file, 16 hexadecimal digits, which identifies the model of
/// results. \throws DataError when the file cannot be read or is shorter than that
[[nodiscard]] std::string model_checksum(const std::string& file);
/// The same of the file that save_model() would write.
[[nodiscard]] std::string checksum_of_model(const Model& model);

}  // namespace kernmix
