#pragma once
/// \file
/// The memory of all tasks, from their number: a column with thousands of classes, which may be one
/// of patients, is refused before a number is stored for each class and sample.

#include "kernmix/context.hpp"
#include "kernmix/train.hpp"
#include "model/targets.hpp"

namespace kernmix {

struct TaskCounts {
  Index samples = 0;
  Index tasks = 1;
  Index rows = 0;  ///< samples of all tasks in total
};
/// \param names  number of classes, labels or targets
[[nodiscard]] TaskCounts count_tasks(TaskScheme scheme, Index names, Index samples);

/// Memory that their training takes at least. \param sharing  the tasks share kernel weights
[[nodiscard]] double least_task_bytes(TaskScheme scheme, const TaskCounts& counts, bool sharing);

/// \throws ResourceError if the tasks alone exceed the memory budget
void require_memory_of_tasks(const Dataset& data, const TrainOptions& options,
                             const Context& context);

/// The samples of each class, for tasks of two classes: looking for them takes all samples for each
/// pair.
class ClassMembers {
 public:
  explicit ClassMembers(const TaskTargets& targets);
  [[nodiscard]] std::vector<Index> of_pair(Index first, Index second) const;

 private:
  std::vector<std::vector<Index>> members_;
};

/// make_task() for a task of these samples.
[[nodiscard]] Task make_task_of(const std::vector<Index>& samples, const TaskTargets& targets,
                                const TaskModel& outline, const Loss& loss, double C,
                                ConstSpan class_weights, const SampleWeights& sample_weights);

}  // namespace kernmix
