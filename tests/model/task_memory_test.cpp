/// \file
/// Thousands of classes, labels or targets are refused before a number is stored for each of them.

#include "model/solving/task_memory.hpp"

#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "model/task_set.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

constexpr TaskScheme kClassSchemes[] = {TaskScheme::one_vs_rest, TaskScheme::one_vs_one,
                                        TaskScheme::joint};

TEST(TaskMemory, CountsTheTasksThatAreMade) {
  for (const TaskScheme scheme : kClassSchemes) {
    const Dataset data = toy_classes(40, 5, 3);
    TrainOptions options = toy_task_options();
    options.scheme = scheme;
    const TaskSet set = make_task_set(data, options);
    const TaskCounts counts = count_tasks(scheme, length(set.targets.names), 40);
    EXPECT_EQ(counts.tasks, set.size());
    Index rows = 0;
    for (const Task& task : set.tasks) rows += length(task.y);
    EXPECT_EQ(counts.rows, rows);
  }
}

TEST(TaskMemory, PairsHaveTheSamplesOfBothClasses) {
  const Dataset data = toy_classes(30, 4, 3);
  const TaskTargets targets =
      find_targets(TaskScheme::one_vs_one, Target::classes, data.table, 30, "");
  const ClassMembers members(targets);
  const Loss loss = "hinge";
  for (const TaskModel& outline : outline_tasks(TaskScheme::one_vs_one, targets.names)) {
    const Task searched = make_task(targets, outline, loss, 1.0, {}, {});
    EXPECT_EQ(members.of_pair(outline.positive, outline.negative), searched.rows);
  }
}

/// Samples of half as many classes.
Dataset of_patients(Index samples) {
  Dataset data = toy_classes(samples, 3, 1);
  for (Index i = 0; i < samples; ++i) data.table.labels[to_size(i)] = "k" + std::to_string(i / 2);
  return data;
}

TEST(TaskMemory, OfPatientsIsRefusedWithTheRemedy) {
  Context context;
  context.memory_bytes = std::size_t{200} << 20;
  const Dataset data = of_patients(20000);
  for (const TaskScheme scheme : kClassSchemes) {
    for (const char* const sharing : {"sum", "separate"}) {
      TrainOptions options = toy_task_options();
      options.scheme = scheme;
      options.coupling = sharing;
      try {
        require_memory_of_tasks(data, options, context);
        ADD_FAILURE() << scheme_name(scheme);
      } catch (const ResourceError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("10000 classes"), std::string::npos) << message;
        EXPECT_NE(message.find("patients"), std::string::npos) << message;
      }
    }
  }
  context.memory_bytes = 0;
  EXPECT_NO_THROW(require_memory_of_tasks(data, toy_task_options(), context));
}

TEST(TaskMemory, OfFewClassesIsNoReasonToRefuse) {
  Context context;
  context.memory_bytes = std::size_t{1} << 20;
  for (const TaskScheme scheme : kClassSchemes) {
    TrainOptions options = toy_task_options();
    options.scheme = scheme;
    EXPECT_NO_THROW(require_memory_of_tasks(toy_classes(40, 3, 1), options, context));
  }
}

}  // namespace
}  // namespace kernmix::testing
