#include "tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "layout.hpp"
#include "model/targets.hpp"

namespace kernmix::documents {
namespace {

Json numbers_json(ConstSpan row) {
  Json values = Json::array();
  for (const double value : row) values.push_back(json_number(value));
  return values;
}

std::string single_text(const Model& model) {
  switch (model.target) {
    case Target::classes:
      return fmt::format("the classes {} (-1) and {} (+1)", model.names[0], model.names[1]);
    case Target::numbers:
      return "numbers: regression";
    case Target::none:
      return "samples without labels: novelty detection";
  }
  return "";
}

}  // namespace

std::string tasks_text(const Model& model) {
  if (model.single()) return single_text(model);
  const std::size_t count = model.names.size();
  if (model.of_labels()) return fmt::format("{} labels, {}", count, model.coupling);
  if (model.of_targets()) return fmt::format("{} targets, {}", count, model.coupling);
  if (model.scheme == TaskScheme::joint) return fmt::format("{} classes, joint", count);
  return fmt::format("{} classes, {}, {}", count, scheme_name(model.scheme), model.coupling);
}

std::string calibration_text(const Model& model) {
  const Calibration& calibration = model.calibration;
  return fmt::format("{}, {} folds; labels follow from probabilities",
                     calibration_name(calibration.method), calibration.folds);
}

Json calibration_json(const Model& model) {
  Json maps = Json::array();
  for (const ProbabilityMap& map : model.calibration.maps) {
    if (const auto* const platt = std::get_if<PlattMap>(&map)) {
      maps.push_back({{"slope", platt->slope}, {"intercept", platt->intercept}});
    } else if (const auto* const beta = std::get_if<BetaMap>(&map)) {
      maps.push_back({{"a", beta->a}, {"b", beta->b}, {"c", beta->c}, {"scale", beta->scale}});
    } else {
      maps.push_back({{"knots", std::get<IsotonicMap>(map).decision.size()}});
    }
  }
  return {{"method", calibration_name(model.calibration.method)},
          {"folds", model.calibration.folds},
          {"maps", std::move(maps)}};
}

std::vector<Index> samples_per_name(const Model& model, const Table& table) {
  if (model.target != Target::classes) return {};
  std::vector<Index> counts(model.names.size(), 0);
  if (model.of_labels()) {
    const MultiLabels labels = labels_in_order(model.names, table);
    for (Index t = 0; t < length(labels.names); ++t) {
      const Vector signs = labels.signs(t);
      counts[to_size(t)] = std::count(signs.begin(), signs.end(), 1.0);
    }
    return counts;
  }
  for (const Index code : ClassLabels{model.names}.encode(table.labels)) {
    ++counts[to_size(code)];
  }
  return counts;
}

MultiLabels labels_in_order(const std::vector<std::string>& names, const Table& table) {
  const MultiLabels& given = table.multi_labels;
  if (given.names.empty()) {
    throw ParameterError("--labels is missing: name the columns with the true labels");
  }
  MultiLabels labels{names, {}};
  const auto place = kernmix::places_of(names, given.names, "label", table.source);
  for (Index i = 0; i < given.samples(); ++i) {
    for (const Index t : place) labels.values.push_back(given.has(i, t) ? 1 : 0);
  }
  return labels;
}

Matrix targets_in_order(const std::vector<std::string>& names, const Table& table) {
  const TargetNumbers& given = table.targets;
  if (given.empty()) {
    throw ParameterError("--targets is missing: name the columns with the true numbers");
  }
  const auto place = kernmix::places_of(names, given.names, "target", table.source);
  Matrix targets(given.values.rows, length(names));
  for (Index i = 0; i < targets.rows; ++i) {
    for (Index t = 0; t < targets.cols; ++t) targets(i, t) = given.values(i, place[to_size(t)]);
  }
  return targets;
}

std::string tasks_table(const Model& model, std::size_t limit) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, model.tasks.size());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return model.tasks[left].primal > model.tasks[right].primal;
  });
  const bool joint = model.scheme == TaskScheme::joint;  // whose classes have no objectives
  std::vector<Row> rows = {
      joint ? Row{"class", "support", "bias"}
            : Row{"task", "objective", "absolute gap", "support", "task weight"}};
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

Json tasks_json(const Model& model) {
  Json tasks = Json::array();
  for (Index k = 0; k < length(model.tasks); ++k) {
    const TaskModel& task = model.tasks[to_size(k)];
    tasks.push_back({{"name", task.name},
                     {"n_support", task.support.size()},
                     {"bias", json_number(task.bias)},
                     {"threshold", json_number(task.threshold)},
                     {"gamma", json_number(model.gamma[to_size(k)])},
                     {"norms", numbers_json(model.norms.row(k))}});
    if (model.scheme != TaskScheme::joint) {
      tasks.back()["primal"] = json_number(task.primal);
      tasks.back()["gap"] = json_number(task.gap);
    }
    if (model.weights.rows > 1) tasks.back()["weights"] = numbers_json(model.task_weights(k));
  }
  return tasks;
}

}  // namespace kernmix::documents
