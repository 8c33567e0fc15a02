#include "multi/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "layout.hpp"

namespace kernmix::cli {
namespace {

Json numbers_json(ConstSpan row) {
  Json values = Json::array();
  for (const double value : row) values.push_back(json_number(value));
  return values;
}

}  // namespace

std::string tasks_table(const MultiModel& model, std::size_t limit) {
  std::vector<std::size_t> order(model.tasks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return model.tasks[left].primal > model.tasks[right].primal;
  });
  const bool joint = model.scheme == TaskScheme::joint;  // whose classes have no objectives
  std::vector<Row> rows = {joint ? Row{"class", "support", "bias"}
                                 : Row{"task", "objective", "gap", "support", "gamma"}};
  for (const std::size_t k : order) {
    if (rows.size() > limit) break;
    const TaskModel& task = model.tasks[k];
    if (joint) {
      rows.push_back(
          {task.name, fmt::format("{}", task.support.size()), fmt::format("{:.4g}", task.bias)});
      continue;
    }
    rows.push_back({task.name, fmt::format("{:.6g}", task.primal), fmt::format("{:.2e}", task.gap),
                    fmt::format("{}", task.support.size()), fmt::format("{:.4g}", model.gamma[k])});
  }
  const std::string rest =
      order.size() > limit ? fmt::format("... and {} more\n", order.size() - limit) : "";
  return aligned(rows, true) + rest;
}

Json tasks_json(const MultiModel& model) {
  Json tasks = Json::array();
  for (Index k = 0; k < length(model.tasks); ++k) {
    const TaskModel& task = model.tasks[static_cast<std::size_t>(k)];
    tasks.push_back({{"name", task.name},
                     {"n_support", task.support.size()},
                     {"bias", json_number(task.bias)},
                     {"threshold", json_number(task.threshold)},
                     {"gamma", json_number(model.gamma[static_cast<std::size_t>(k)])},
                     {"norms", numbers_json(model.norms.row(k))}});
    if (model.scheme != TaskScheme::joint) {
      tasks.back()["primal"] = json_number(task.primal);
      tasks.back()["gap"] = json_number(task.gap);
    }
    if (model.weights.rows > 1) tasks.back()["weights"] = numbers_json(model.task_weights(k));
  }
  return tasks;
}

}  // namespace kernmix::cli
