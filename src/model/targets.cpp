#include "model/targets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/errors_at.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"
#include "model/solving/task_memory.hpp"

namespace kernmix {
namespace {

constexpr std::size_t most_scattered_classes = 20;  ///< numbers that do not count up
constexpr Index fewest_samples_of_name = 5;         ///< average, for numbers that count up

void require_labels(const Table& table) {
  if (!table.labels.empty()) return;
  throw DataError(fmt::format("{}: has no labels; name the label column", table.source));
}

Matrix as_column(Vector y) {
  Matrix column;
  column.rows = length(y);
  column.cols = 1;
  column.values = std::move(y);
  return column;
}

/// \throws DataError naming the first one that is not finite
Matrix finite_numbers(const TargetNumbers& targets, const std::string& source) {
  const Matrix& values = targets.values;
  for (Index i = 0; i < values.rows; ++i) {
    for (Index t = 0; t < values.cols; ++t) {
      if (std::isfinite(values(i, t))) continue;
      const std::string name =
          targets.names.empty() ? "" : fmt::format(" '{}'", targets.names[to_size(t)]);
      throw DataError(
          fmt::format("{}: target{} of sample {} is {}, not a finite number; leave the sample out",
                      source, name, i + 1, values(i, t)));
    }
  }
  return values;
}

/// The target of a single task: a column of numbers, or labels that are read as such.
Matrix encoded_number(const Table& table) {
  if (table.targets.empty()) {
    require_labels(table);
    return as_column(errors_at(table.source, [&] { return numbers_of(table.labels); }));
  }
  if (table.targets.values.cols == 1) return finite_numbers(table.targets, table.source);
  throw DataError(fmt::format(
      "{}: has {} targets, but none with a name that the model knows; give the target of training",
      table.source, table.targets.values.cols));
}

Matrix encoded_single(Target target, const std::vector<std::string>& names, const Table& table,
                      Index n) {
  if (target == Target::none) return {n, 1};
  if (target == Target::numbers) return encoded_number(table);
  require_labels(table);
  return as_column(BinaryLabels{names[0], names[1]}.encode(table.labels));
}

Matrix encoded_classes(const std::vector<std::string>& names, const Table& table) {
  require_labels(table);
  const std::vector<Index> classes = ClassLabels{names}.encode(table.labels);
  return as_column(Vector(classes.begin(), classes.end()));
}

Matrix encoded_labels(const std::vector<std::string>& names, const Table& table) {
  if (table.multi_labels.names.empty()) {
    throw DataError(fmt::format("{}: has no label matrix; name the label columns", table.source));
  }
  const std::vector<Index> from = places_of(names, table.multi_labels.names, "label", table.source);
  Matrix values(table.multi_labels.samples(), length(names));
  for (Index i = 0; i < values.rows; ++i) {
    for (Index t = 0; t < values.cols; ++t) {
      values(i, t) = table.multi_labels.has(i, from[to_size(t)]) ? 1.0 : -1.0;
    }
  }
  return values;
}

Matrix encoded_targets(const std::vector<std::string>& names, const Table& table) {
  if (table.targets.empty()) {
    throw DataError(fmt::format("{}: has no targets; name their columns", table.source));
  }
  const std::vector<Index> from = places_of(names, table.targets.names, "target", table.source);
  const Matrix given = finite_numbers(table.targets, table.source);
  Matrix values(given.rows, length(names));
  for (Index i = 0; i < values.rows; ++i) {
    for (Index t = 0; t < values.cols; ++t) values(i, t) = given(i, from[to_size(t)]);
  }
  return values;
}

bool of_columns(TaskScheme scheme) {
  return scheme == TaskScheme::labels || scheme == TaskScheme::targets;
}

/// y of sample i in a task, or nothing if the sample is not in the task.
std::optional<double> target_in_task(const TaskTargets& targets, const TaskModel& outline,
                                     Index i) {
  if (targets.scheme == TaskScheme::single) return targets.values(i, 0);
  if (of_columns(targets.scheme)) return targets.values(i, outline.positive);
  const Index own = targets.class_of(i);
  if (targets.scheme == TaskScheme::joint) return static_cast<double>(own);
  if (own == outline.positive) return 1.0;
  if (outline.negative < 0 || own == outline.negative) return -1.0;
  return std::nullopt;
}

std::vector<std::string> single_names(Target target, const Table& table,
                                      const std::string& positive) {
  if (target == Target::numbers) return {};
  if (target == Target::none) return {outlier_name, inlier_name};
  const BinaryLabels classes = BinaryLabels::find(table.labels, positive);
  return {classes.negative, classes.positive};
}

/// "'a' and 'b'", "a, b, c".
std::string in_list(const std::vector<std::string>& names) {
  if (names.size() == 2) return fmt::format("'{}' and '{}'", names[0], names[1]);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool name_classes(const std::set<double>& different, Index samples) {
  if (different.size() <= most_scattered_classes) return true;
  const double first = *different.begin();
  const double last = *different.rbegin();
  const bool count_up =
      (first == 0.0 || first == 1.0) && last - first + 1.0 == static_cast<double>(different.size());
  return count_up && samples >= fewest_samples_of_name * static_cast<Index>(different.size());
}

std::vector<Index> places_of(const std::vector<std::string>& names,
                             const std::vector<std::string>& known, const char* what,
                             const std::string& source) {
  std::map<std::string_view, Index> place_of;
  for (const std::string& name : known) place_of.emplace(name, length(place_of));
  std::vector<Index> places;
  for (const std::string& name : names) {
    const auto found = place_of.find(name);
    if (found == place_of.end()) {
      throw DataError(fmt::format("{}: has no {} '{}', which the model knows{}", source, what, name,
                                  did_you_mean(name, known)));
    }
    places.push_back(found->second);
  }
  return places;
}

Index TaskTargets::class_of(Index sample) const {
  const double value = values(sample, 0);
  if (scheme == TaskScheme::single) return value > 0.0 ? 1 : 0;
  return static_cast<Index>(value);
}

TaskTargets find_targets(TaskScheme scheme, Target target, const Table& table, Index n,
                         const std::string& positive) {
  const auto names = [&]() -> std::vector<std::string> {
    if (scheme == TaskScheme::single) return single_names(target, table, positive);
    if (scheme == TaskScheme::labels) return table.multi_labels.names;
    if (scheme == TaskScheme::targets) return table.targets.names;
    return ClassLabels::find(table.labels).names;
  };
  return encode_targets(scheme, target, names(), table, n);
}

TaskTargets encode_targets(TaskScheme scheme, Target target, std::vector<std::string> names,
                           const Table& table, Index n) {
  const auto values = [&] {
    if (scheme == TaskScheme::single) return encoded_single(target, names, table, n);
    if (scheme == TaskScheme::labels) return encoded_labels(names, table);
    if (scheme == TaskScheme::targets) return encoded_targets(names, table);
    return encoded_classes(names, table);
  };
  Matrix encoded = values();
  return {scheme, target, std::move(names), std::move(encoded)};
}

std::vector<TaskModel> outline_tasks(TaskScheme scheme, const std::vector<std::string>& names) {
  std::vector<TaskModel> tasks;
  const auto add = [&](const std::string& name, Index positive, Index negative) {
    TaskModel& task = tasks.emplace_back();
    task.name = name;
    task.positive = positive;
    task.negative = negative;
  };
  if (scheme == TaskScheme::single) {
    names.empty() ? add("", 0, -1) : add("", 1, 0);
    return tasks;
  }
  for (Index k = 0; k < length(names); ++k) {
    const std::string& name = names[to_size(k)];
    if (scheme != TaskScheme::one_vs_one) {
      add(name, k, -1);
      continue;
    }
    for (Index j = k + 1; j < length(names); ++j) {
      add(fmt::format("{} vs {}", name, names[to_size(j)]), k, j);
    }
  }
  return tasks;
}

Vector weights_of_classes(const std::map<std::string, double>& by_label,
                          const std::vector<std::string>& names) {
  Vector weights(names.size(), 1.0);
  std::vector<bool> given(names.size(), false);
  for (const auto& [label, weight] : by_label) {
    if (!(std::isfinite(weight) && weight > 0.0)) {
      throw ParameterError(
          fmt::format("the weight of class '{}' must be > 0 and finite, got {}", label, weight));
    }
    std::size_t k = 0;
    try {
      k = to_size(ClassLabels{names}.encode({label}).front());
    } catch (const DataError&) {
      throw ParameterError(fmt::format("class weight for unknown class '{}', the classes are {}",
                                       label, in_list(names)));
    }
    if (given[k]) {
      throw ParameterError(fmt::format("two weights are given for class '{}'", label));
    }
    given[k] = true;
    weights[k] = weight;
  }
  return weights;
}

Vector balanced_class_weights(const TaskTargets& targets, ConstSpan sample_weights) {
  Vector counts(targets.names.size(), 0.0);
  double total = 0.0;
  for (Index i = 0; i < targets.samples(); ++i) {
    const double count = sample_weights.empty() ? 1.0 : sample_weights[to_size(i)];
    counts[to_size(targets.class_of(i))] += count;
    total += count;
  }
  const double mean = total / static_cast<double>(counts.size());
  Vector weights;
  for (const double count : counts) weights.push_back(mean / count);
  return weights;
}

Task make_task(const TaskTargets& targets, const TaskModel& outline, const Loss& loss, double C,
               ConstSpan class_weights, const SampleWeights& sample_weights) {
  std::vector<Index> samples;
  for (Index i = 0; i < targets.samples(); ++i) {
    if (target_in_task(targets, outline, i)) samples.push_back(i);
  }
  return make_task_of(samples, targets, outline, loss, C, class_weights, sample_weights);
}

Task make_task_of(const std::vector<Index>& samples, const TaskTargets& targets,
                  const TaskModel& outline, const Loss& loss, double C, ConstSpan class_weights,
                  const SampleWeights& sample_weights) {
  Task task;
  task.rows = samples;
  task.y.reserve(samples.size());
  for (const Index i : samples) task.y.push_back(*target_in_task(targets, outline, i));
  const Vector weights = entries_at(sample_weights.values, task.rows);
  const bool counted = sample_weights.repeat && !weights.empty();
  const double total = counted ? std::accumulate(weights.begin(), weights.end(), 0.0)
                               : static_cast<double>(task.y.size());
  task.C.assign(task.y.size(), loss_weight_of_total(loss, C, total));
  for (std::size_t k = 0; k < task.rows.size(); ++k) {
    const Index i = task.rows[k];
    if (!class_weights.empty()) {
      task.C[k] *= class_weights[to_size(targets.class_of(i))];
    }
    if (!weights.empty()) task.C[k] *= weights[k];
  }
  if (length(task.rows) == targets.samples()) task.rows = {};  // with its memory
  return task;
}

}  // namespace kernmix
