#pragma once
/// \file
/// What the tasks of a model learn from: y and C of each, from classes or labels.

#include <map>
#include <string>
#include <vector>

#include "kernmix/data.hpp"
#include "kernmix/model/multi.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// The targets of n samples as training, prediction and verification see them.
struct TaskTargets {
  TaskScheme scheme = TaskScheme::one_vs_rest;
  std::vector<std::string> names;  ///< K classes or T labels
  /// n x 1: the class, 0 .. K - 1; or n x T: +1 with the label, -1 without
  Matrix values;

  [[nodiscard]] Index samples() const { return values.rows; }
  [[nodiscard]] Index class_of(Index sample) const { return static_cast<Index>(values(sample, 0)); }
};

/// Targets in terms of names that are known.
/// \throws DataError for missing labels, an unknown class, or a label that no column has
[[nodiscard]] TaskTargets encode_targets(TaskScheme scheme, std::vector<std::string> names,
                                         const Table& table);

/// The tasks that a scheme makes of `names`: name, positive and negative are set.
[[nodiscard]] std::vector<TaskModel> outline_tasks(TaskScheme scheme,
                                                   const std::vector<std::string>& names);

/// The weight of each class, 1 where none is given; labels are compared as in the data.
/// \throws ParameterError for a weight that is not > 0, an unknown class or one named twice
[[nodiscard]] Vector weights_of_classes(const std::map<std::string, double>& by_label,
                                        const std::vector<std::string>& names);

/// y, C and rows of one task; C_i = loss_weight(loss, C, samples of the task) * weight of the class
/// of sample i * its own weight.
/// \param class_weights  K, or empty;  \param sample_weights  n, or empty
[[nodiscard]] SharedTask make_shared_task(const TaskTargets& targets, const TaskModel& outline,
                                          const Loss& loss, double C, ConstSpan class_weights,
                                          ConstSpan sample_weights);

}  // namespace kernmix
