#pragma once
/// \file
/// Models of many tasks, the classes of one problem or the labels of another: training, prediction,
/// verification (docs/sharing.md).

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "kernmix/bank/plan.hpp"
#include "kernmix/certificate.hpp"
#include "kernmix/context.hpp"
#include "kernmix/model/model.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/solve.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// What the tasks are.
enum class TaskScheme {
  one_vs_rest,  ///< one task for each of K classes
  one_vs_one,   ///< one task for each pair of classes, on their samples
  joint,        ///< one problem of all classes (Zien and Ong, ICML 2007); no sharing to choose
  labels        ///< one task for each of T labels, of which a sample has any number
};
/// "one-vs-rest", "one-vs-one", "joint" or "labels".
[[nodiscard]] std::string scheme_name(TaskScheme scheme);
/// \throws ParameterError naming the known schemes
[[nodiscard]] TaskScheme parse_scheme(const std::string& text);

/// One task of a model: a class against the rest or against another, or a label.
struct TaskModel {
  std::string name;            ///< "setosa", "setosa vs virginica"
  Index positive = 0;          ///< class or label, in MultiModel::names
  Index negative = -1;         ///< of one-vs-one; else -1: the rest
  std::vector<Index> support;  ///< its support vectors, places in MultiModel::support, ascending
  Vector coefficients;         ///< a of these
  Vector proof;                ///< Answer::witness on these, or empty
  double bias = 0.0;
  double threshold = 0.0;  ///< of labels: predicted where the decision value is at least this
  /// P_k: of the task's own SVM at the final weights; of separate tasks, of its own problem, kernel
  /// weights and all; of a joint model 0, as is the gap: its classes have no problem of their own.
  double primal = 0.0;
  double gap = 0.0;  ///< of the same
};

/// Many tasks on the same kernels. kernels[m].weight is the mean of its weights over the tasks and
/// kernels[m].norm = sqrt(sum_k ||f_mk||^2).
struct MultiModel : ModelBasis {
  TaskScheme scheme = TaskScheme::one_vs_rest;
  std::string sharing = "sum";     ///< "sum", "minimax" or "separate"; of a joint model "joint"
  std::vector<std::string> names;  ///< K classes or T labels
  std::vector<TaskModel> tasks;
  Matrix weights;  ///< 1 x M, shared, or tasks x M, separate
  Matrix norms;    ///< tasks x M: ||f_mk||
  Vector gamma;    ///< weight of each task in the dual: 1 but for minimax
  /// On the exact kernels of the training data. Of separate tasks: the sum of their bounds.
  Bounds certificate;

  [[nodiscard]] bool of_labels() const { return scheme == TaskScheme::labels; }
  /// Kernel weights of task k, length M.
  [[nodiscard]] ConstSpan task_weights(Index k) const {
    return weights.row(weights.rows == 1 ? 0 : k);
  }
};

/// Samples whose coefficient is not zero in some task.
[[nodiscard]] Index support_vectors(const MultiModel& model);

/// \throws DataError naming the part of the model that contradicts another or is out of range
void check_model(const MultiModel& model);

/// As save_model of one predictor.
void save_model(const MultiModel& model, const std::string& file);

using AnyModel = std::variant<Model, MultiModel>;

/// Reads a model file of either kind; throws as load_model.
[[nodiscard]] AnyModel load_any_model(const std::string& file);

/// The checksum that ends a model file, 16 hexadecimal digits: tells whether results are of one
/// model. \throws DataError when the file cannot be read or is shorter than that
[[nodiscard]] std::string model_checksum(const std::string& file);

/// What training would have given, had it ended at one of its iterations.
struct TrainingMoment {
  double seconds = 0.0;  ///< of solving
  Index svm_solves = 0;
  /// For prediction: norms, bounds, proofs and thresholds are 0 or empty but in the last one.
  MultiModel model;
};

struct MultiTrainOptions : TrainOptions {
  /// Of a table with one label each: one-vs-rest, one-vs-one or joint; one with multi_labels has
  /// the scheme `labels` whatever is asked here.
  TaskScheme scheme = TaskScheme::one_vs_rest;
  std::string sharing = "sum";  ///< "sum", "minimax" or "separate"; of joint only the default
  /// Of labels: choose each threshold for the largest F1 on decision values that models of this
  /// many folds give the samples that they were not trained on; 0: all thresholds are 0.
  Index threshold_folds = 0;
  /// Where set, of shared and joint weights: called after training for some fifty moments of it at
  /// most, evenly spread over its iterations, and for its end.
  std::function<void(const TrainingMoment&)> trace;
};

/// What joint asks of the options: the hinge, biases that are free or none, no form of sharing, a
/// solver that takes the regularizer (solve_joint). \throws ParameterError naming what does not fit
void check_joint_options(const MultiTrainOptions& options);

struct MultiTrainResult {
  MultiModel model;
  Status status = Status::stalled;  ///< converged: to the tolerance, on the exact kernels
  /// Of shared and joint weights. Separate tasks follow each other; their bounds are those of the
  /// task, `step` begins with its name.
  std::vector<Iteration> history;
  Index svm_solves = 0;
  Index inner_iterations = 0;
  Index bank_passes = 0;
  MemoryPlan plan;
  Timings seconds;
  std::vector<Warning> warnings;  ///< what may mislead: docs/warnings.md
};

/// As train(), for K >= 2 classes or T >= 1 labels. Class weights are by class; a loss of two
/// classes is needed. All tasks use one bank of kernels, normalised on all samples.
/// \throws ParameterError, DataError, ResourceError before any kernel is computed where possible
[[nodiscard]] MultiTrainResult train_multi(const Dataset& data, const MultiTrainOptions& options,
                                           const Context& context);

struct MultiPrediction {
  Matrix task_decision;  ///< samples x tasks: sum_m f_mk(x) + b_k
  /// samples x names. one-vs-rest, joint and labels: task_decision; one-vs-one: votes of the pairs
  /// plus their summed decision values squeezed into (-1/3, 1/3), as scikit-learn has it.
  Matrix decision;
  std::vector<Index> winner;             ///< of classes: the largest decision, the first of equals
  std::vector<unsigned char> has_label;  ///< of labels: samples x labels, row-major, 1 or 0
  Matrix probability;  ///< samples x names: of labels with the logistic loss; else empty
};
/// \throws DataError when a column that the model needs is missing
[[nodiscard]] MultiPrediction predict_multi(const MultiModel& model, const Dataset& data,
                                            const Context& context);

/// As Verification.
struct MultiVerification : VerifiedClaims {
  Bounds recomputed;  ///< zeros unless it was
  Bounds reported;
};
[[nodiscard]] MultiVerification verify_multi(const MultiModel& model, const Dataset& data,
                                             const Context& context);

}  // namespace kernmix
