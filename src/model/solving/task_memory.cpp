#include "model/solving/task_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/error.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {
namespace {

bool of_classes(TaskScheme scheme) {
  return scheme == TaskScheme::one_vs_rest || scheme == TaskScheme::one_vs_one ||
         scheme == TaskScheme::joint;
}

/// Of classes the number of spellings, of which "1" and "1.0" are two.
Index most_names(TaskScheme scheme, const Table& table) {
  if (scheme == TaskScheme::labels) return length(table.multi_labels.names);
  if (scheme == TaskScheme::targets) return length(table.targets.names);
  if (!of_classes(scheme)) return 1;
  return static_cast<Index>(
      std::unordered_set<std::string_view>(table.labels.begin(), table.labels.end()).size());
}

std::string what_is_there(TaskScheme scheme, Index names, Index samples) {
  if (scheme == TaskScheme::labels) return fmt::format("{} labels", names);
  if (scheme == TaskScheme::targets) return fmt::format("{} targets", names);
  return fmt::format("{} classes, {:.3g} samples each on average", names,
                     static_cast<double>(samples) / static_cast<double>(names));
}

std::string remedy(TaskScheme scheme) {
  if (scheme == TaskScheme::labels) return "allow more memory, or give fewer labels";
  if (scheme == TaskScheme::targets) return "allow more memory, or give fewer targets";
  return "if the label column names patients or other groups, choose another one; otherwise leave "
         "rare classes out, or allow more memory";
}

}  // namespace

TaskCounts count_tasks(TaskScheme scheme, Index names, Index samples) {
  switch (scheme) {
    case TaskScheme::single:
      return {samples, 1, samples};
    case TaskScheme::one_vs_one:
      return {samples, names * (names - 1) / 2, (names - 1) * samples};
    default:
      return {samples, names, names * samples};
  }
}

double least_task_bytes(TaskScheme scheme, const TaskCounts& counts, bool sharing) {
  constexpr double of_row = 2.0 * sizeof(double);       // y and C
  constexpr double kept_of_row = 2.0 * sizeof(double);  // of its answer
  constexpr double row_number = sizeof(Index);
  constexpr double of_task = sizeof(Task) + sizeof(TaskModel) + 2.0 * sizeof(std::string);
  constexpr double together = 26.0 * sizeof(double);  // as expected_shared_memory() counts
  const auto tasks = static_cast<double>(counts.tasks);
  const auto rows = static_cast<double>(counts.rows);
  const auto all = tasks * static_cast<double>(counts.samples);
  if (scheme == TaskScheme::single) return rows * of_row;
  if (scheme == TaskScheme::joint) return rows * of_row + all * together;
  const bool pairs = scheme == TaskScheme::one_vs_one;
  return tasks * of_task + rows * (of_row + (pairs ? row_number : 0.0)) +
         (sharing ? 16.0 * rows * sizeof(double) + 10.0 * all * sizeof(double)
                  : kept_of_row * rows);
}

void require_memory_of_tasks(const Dataset& data, const TrainOptions& options,
                             const Context& context) {
  const TaskScheme scheme = training_scheme(data.table, options);
  if (scheme == TaskScheme::single) return;
  const Index n = sample_count(data.table, data.matrices);
  const bool sharing = options.coupling != "separate";
  const auto needed = [&](Index names) {
    return least_task_bytes(scheme, count_tasks(scheme, names, n), sharing);
  };
  Index names = most_names(scheme, data.table);
  if (has_room(context, needed(names))) return;
  if (of_classes(scheme)) names = length(ClassLabels::find(data.table.labels).names);
  if (has_room(context, needed(names))) return;
  throw ResourceError(fmt::format(
      "{}{} samples have {}, which take at least {} of memory, more than the budget of {} "
      "(--memory); {}",
      data.table.source.empty() ? "" : data.table.source + ": ", n, what_is_there(scheme, names, n),
      memory_text(needed(names)), memory_text(context.memory_bytes), remedy(scheme)));
}

ClassMembers::ClassMembers(const TaskTargets& targets) : members_(targets.names.size()) {
  for (Index i = 0; i < targets.samples(); ++i) members_[to_size(targets.class_of(i))].push_back(i);
}

std::vector<Index> ClassMembers::of_pair(Index first, Index second) const {
  std::vector<Index> both;
  std::ranges::merge(members_[to_size(first)], members_[to_size(second)], std::back_inserter(both));
  return both;
}

}  // namespace kernmix
