#pragma once
/// \file
/// What the tasks of a model learn from: y and C of each, from classes, numbers or labels.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernmix/data.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/model.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// Model::names of a novelty detector.
inline constexpr const char* outlier_name = "outlier";
inline constexpr const char* inlier_name = "inlier";

/// The targets of n samples in training, prediction and verification.
struct TaskTargets {
  TaskScheme scheme = TaskScheme::single;
  Target target = Target::classes;
  std::vector<std::string> names;  ///< as in Model
  /// The input of the fingerprint. Single task, n x 1: +1 or -1, the number, or 0 without a target;
  /// several classes, n x 1: 0 .. K - 1; labels, n x T: +1 with the label, -1 without; targets, n x
  /// T: the numbers.
  Matrix values;

  [[nodiscard]] Index samples() const { return values.rows; }
  /// The index of its class in `names`.
  [[nodiscard]] Index class_of(Index sample) const;
};

/// Whether labels that are these whole numbers name classes: at most 20 of them, or 0, 1, ... or 1,
/// 2, ... without a gap and with five samples each on average.
[[nodiscard]] bool name_classes(const std::set<double>& different, Index samples);

/// The index in a table of each name of a model. \param what "label" or "target" \throws DataError
/// for a missing name
[[nodiscard]] std::vector<Index> places_of(const std::vector<std::string>& names,
                                           const std::vector<std::string>& known, const char* what,
                                           const std::string& source);

/// Finds the classes or labels of a table. \param positive  class of a single task, or empty
/// \throws DataError as encode_targets, or if the classes do not suit the scheme
[[nodiscard]] TaskTargets find_targets(TaskScheme scheme, Target target, const Table& table,
                                       Index n, const std::string& positive);

/// Targets for given names. \throws DataError for missing labels, an unknown class, a label or
/// target that is not a number in regression, or a name without column
[[nodiscard]] TaskTargets encode_targets(TaskScheme scheme, Target target,
                                         std::vector<std::string> names, const Table& table,
                                         Index n);

/// The tasks of a scheme for `names`, with name, positive and negative set.
[[nodiscard]] std::vector<TaskModel> outline_tasks(TaskScheme scheme,
                                                   const std::vector<std::string>& names);

/// The weight of each class, by default 1; labels are compared as in the data ("1.0" is "1").
/// \throws ParameterError for a weight that is not > 0, an unknown class or one named twice
[[nodiscard]] Vector weights_of_classes(const std::map<std::string, double>& by_label,
                                        const std::vector<std::string>& names);

/// n / (K n_class) of each of the K names. \param sample_weights weights of the samples; {}: all 1
[[nodiscard]] Vector balanced_class_weights(const TaskTargets& targets, ConstSpan sample_weights);

/// The weights of n samples, or none.
struct SampleWeights {
  ConstSpan values;
  bool repeat = true;  ///< Model::weights_repeat
};

/// y, C and rows of one task; C_i = loss_weight(loss, C, samples of the task) * weight of the class
/// of sample i * its own weight. Numbers of samples are sums of their weights.
/// \param class_weights  of each of the names, or empty
[[nodiscard]] Task make_task(const TaskTargets& targets, const TaskModel& outline, const Loss& loss,
                             double C, ConstSpan class_weights,
                             const SampleWeights& sample_weights);

}  // namespace kernmix
