#pragma once
/// \file
/// A trained model: everything that prediction and verification need, and its one-file format
/// (docs/reference/formats.md).

#include <cstdint>
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
  /// column_means are those of the support vectors, and kept only for kernels with weight; weights
  /// are those of the model
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
  double C = 1.0;                     ///< 1 for losses where nu takes its place
  std::vector<double> class_weights;  ///< of each class in Model::names; empty without classes
  double tolerance = 1e-3;
  std::uint64_t seed = 0;
  std::string version;  ///< of kernmix
};

/// "classes", "numbers" or "none".
[[nodiscard]] std::string target_name(Target target);
/// \throws DataError for any other name
[[nodiscard]] Target parse_target(const std::string& name);

/// What the tasks are.
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

/// One task of a model: what there is to predict, a class against the rest or against another, a
/// label or a number.
struct TaskModel {
  std::string name;            ///< "setosa", "setosa vs virginica"; empty of a single task
  Index positive = 0;          ///< class, label or target, in Model::names
  Index negative = -1;         ///< of two classes; else -1: the rest, or no class at all
  std::vector<Index> support;  ///< its support vectors, places in Model::support, ascending
  Vector coefficients;         ///< a of these
  Vector witness;              ///< a second dual vector on these, of the lower bound, or empty
  double bias = 0.0;           ///< b; of a one-class model minus its threshold
  double threshold = 0.0;      ///< of labels: predicted where the decision value is at least this
  /// P_k: of the task's own SVM at the final weights; of separate tasks, of its own problem, kernel
  /// weights and all; of a joint model 0, as is the gap: its classes have no problem of their own.
  double primal = 0.0;
  double gap = 0.0;  ///< of the same
};

/// How probabilities follow from decision values. Where there are maps the label follows from the
/// probability, so that the two never contradict: of a single task the positive class where p >
/// 0.5, of many classes the most probable, the first of equals, of labels each where p > 0.5.
struct Calibration {
  CalibrationMethod method = CalibrationMethod::none;
  std::vector<ProbabilityMap> maps;  ///< of each output; empty: the model is not calibrated
  Index folds = 0;                   ///< of the cross-fit that the maps were fitted to
  std::vector<Index> groups;         ///< of the training samples, which its folds keep; or empty
  std::string solver;                ///< that its models were asked to take
  Index max_iterations = 0;          ///< and their outer iterations at most
  [[nodiscard]] bool empty() const { return maps.empty(); }
};

/// T >= 1 tasks on the same kernels.
struct Model {
  ModelSettings settings;
  Target target = Target::classes;  ///< what the loss learns from
  TaskScheme scheme = TaskScheme::single;
  std::string coupling = "sum";  ///< "sum", "minimax" or "separate"; of a joint model "joint"
  /// K classes, T labels or T targets. Of a single task: its negative and its positive class,
  /// "outlier" and "inlier" of a novelty detector, none of a regression.
  std::vector<std::string> names;
  std::vector<TaskModel> tasks;
  Matrix weights;  ///< kernel weights: 1 x M, shared, or T x M, separate
  Matrix norms;    ///< T x M: ||f_mk||
  Vector gamma;    ///< weight of each task in the dual: 1 but for minimax
  /// On the exact kernels of the training data. Of separate tasks: the sum of their bounds.
  Bounds certificate;
  Calibration calibration;

  /// Of Table::label_type: what the classes were before they became text; empty: not known.
  std::string class_type;
  /// All columns of the training table, in its order, also those that no kernel reads; empty: not
  /// known, as of files of kernmix 0.1.
  std::vector<std::string> table_columns;
  std::vector<Categories> categories;  ///< of table columns whose numbers stand for words
  std::vector<std::string> columns;    ///< feature columns that the kernels with weight use
  Scaling scaling;                     ///< of `columns`
  std::vector<ScaledView> views;       ///< columns that kernels read, without weight too, by view
  std::vector<ModelKernel> kernels;    ///< all M, with zero weights
  Index training_samples = 0;          ///< n
  std::uint64_t training_hash = 0;  ///< of targets, columns' values, matrices: verify compares it
  Vector sample_weights;            ///< n numbers > 0, or empty: all 1
  /// There are weights, and a sample of weight 2 was two samples wherever training learned. False
  /// of files of kernmix 0.1, where weights were factors of C alone.
  bool weights_repeat = false;
  std::vector<std::string> matrices;  ///< names of given matrix views, in order
  /// Training rows that prediction needs, ascending: of support vectors, and where a centred kernel
  /// has weight and the dual variables do not add up to zero, of all samples.
  std::vector<Index> support;
  std::vector<std::string> support_ids;  ///< their sample ids, or empty
  Matrix support_values;                 ///< |support| x |columns|, unscaled

  [[nodiscard]] bool single() const { return scheme == TaskScheme::single; }
  [[nodiscard]] bool of_labels() const { return scheme == TaskScheme::labels; }
  [[nodiscard]] bool of_targets() const { return scheme == TaskScheme::targets; }
  /// Exactly one of several outputs is true of a sample.
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

/// How often each training sample counted in everything that training learned; {}: once.
[[nodiscard]] ConstSpan sample_counts(const Model& model);

/// Of each kernel, ModelKernel::weight.
[[nodiscard]] Vector kernel_weights(const Model& model);

/// Kernels with weight > 0.
[[nodiscard]] Index kernels_used(const Model& model);

/// The coefficients of all tasks, 0 where a task has none: |support| x T.
[[nodiscard]] Matrix coefficients_of(const Model& model);

/// \throws DataError naming the part of the model that contradicts another or is out of range
void check_model(const Model& model);

/// The bytes of a model file, and back. \throws DataError from check_model, or as load_model
[[nodiscard]] std::string encode_model(const Model& model);
[[nodiscard]] Model decode_model(std::string_view bytes);

/// Writes to a temporary file beside `file` and renames it: the old file survives any failure.
/// \throws ResourceError when the file cannot be written, DataError from check_model
void save_model(const Model& model, const std::string& file);

/// \throws DataError for a file that is not a model, of a newer version, truncated, altered
///         (checksum) or inconsistent. Never allocates more than a small multiple of the file size.
/// \throws ResourceError for a file beyond the memory allowed, or where the context says stop
[[nodiscard]] Model load_model(const std::string& file, const Context& context = {});

/// The checksum that ends a model file, 16 hexadecimal digits: tells whether results are of one
/// model. \throws DataError when the file cannot be read or is shorter than that
[[nodiscard]] std::string model_checksum(const std::string& file);
/// The same of the file that save_model() would write.
[[nodiscard]] std::string checksum_of_model(const Model& model);

}  // namespace kernmix
