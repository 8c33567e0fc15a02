#include "compare/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compare/table_reader.hpp"
#include "config.hpp"
#include "kernmix/error.hpp"
#include "kernmix/study.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

constexpr const char* kMethod = "[[method]]";

GridValue grid_value(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return {*text, std::nullopt};
  if (const auto whole = node.value_exact<std::int64_t>()) {
    return {fmt::format("{}", *whole), static_cast<double>(*whole)};
  }
  if (const auto number = node.value_exact<double>()) return {fmt::format("{}", *number), number};
  return {};
}

GridAxis read_axis(const TableReader& grid, const std::string& key, const toml::node& node,
                   const std::string& regularizer) {
  if (const auto why = refusal_of_axis(key, regularizer)) grid.refuse_key(key, *why);
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty()) {
    grid.refuse_key(key, "must be a list of values such as [0.1, 1, 10]");
  }
  GridAxis axis{key, {}};
  for (const toml::node& value : *list) {
    axis.values.push_back(grid_value(value));
    if (axis.values.back().text.empty()) grid.refuse_key(key, "must hold texts or numbers");
  }
  if (const auto twice = repeated_value(axis)) grid.refuse_key(key, "has " + *twice + " twice");
  return axis;
}

/// The axes of the method's own grid, then those of [experiment] that it does not have. Keys of the
/// method itself are fixed.
std::vector<GridAxis> axes_of(const MethodTable& place, const TableReader& method) {
  const std::string regularizer = method.text_or("regularizer", "l1");
  std::vector<GridAxis> axes;
  const toml::table* const own = method.inner("grid");
  if (own != nullptr) {
    const TableReader grid(place.file, "grid of [[method]]", *own);
    for (const auto& item : *own) {
      axes.push_back(read_axis(grid, std::string(item.first.str()), item.second, regularizer));
    }
  }
  if (place.grid != nullptr) {
    const TableReader grid(place.file, "grid of [experiment]", *place.grid);
    for (const auto& item : *place.grid) {
      const std::string key(item.first.str());
      const bool known =
          method.has(key) || std::ranges::find(axes, key, &GridAxis::key) != axes.end();
      if (!known) axes.push_back(read_axis(grid, key, item.second, regularizer));
    }
  }
  return axes;
}

SettingTexts settings_of(const std::string& file, const toml::table& table) {
  SettingTexts settings;
  for (const auto& item : table) {
    const std::string key(item.first.str());
    const Field* const field = field_of_key(key);
    if (field != nullptr) settings[field->name] = setting_texts(*field, file, key, item.second);
  }
  return settings;
}

Candidate candidate_at(const MethodSource& source, const GridPoint& point) {
  TrainArguments own = source.arguments;
  own.settings = point.settings;
  TrainOptions options = train_options(own);
  if (source.data != nullptr) {
    copy_of_samples(source.options, options);
    complete_options(*source.data, options, &source.options);
  }
  Candidate candidate{point.name, std::move(options), {}};
  candidate.numbers = point.numbers;
  candidate.path = point.path;
  return candidate;
}

}  // namespace

std::vector<Candidate> grid_candidates(const MethodSource& source, const SettingTexts& settings,
                                       const std::vector<GridAxis>& grid) {
  SettingTexts all = source.arguments.settings;
  for (const auto& [name, texts] : settings) all[name] = texts;
  std::vector<GridPoint> points;
  try {
    points = grid_points(all, grid);
  } catch (const ParameterError& error) {
    throw ParameterError(std::string(": ") + error.what());
  }
  std::vector<Candidate> candidates;
  candidates.reserve(points.size());  // growing would take twice the memory
  for (const GridPoint& point : points) {
    try {
      candidates.push_back(candidate_at(source, point));
    } catch (const ParameterError& error) {
      throw ParameterError(point.name.empty() ? std::string(": ") + error.what()
                                              : fmt::format(" ({}): {}", point.name, error.what()));
    }
  }
  return candidates;
}

ComparedMethod read_method(const MethodTable& place, const MethodSource& source,
                           const toml::table& table) {
  const TableReader reader(place.file, kMethod, table);
  reader.check_keys({"name", "grid"}, grid_keys());
  ComparedMethod method{reader.text("name"), {}};
  const std::vector<GridAxis> axes = axes_of(place, reader);
  try {
    method.candidates = grid_candidates(source, settings_of(place.file, table), axes);
  } catch (const ParameterError& error) {
    reader.refuse(fmt::format("'{}'{}", method.name, error.what()));
  }
  return method;
}

std::vector<ComparedMethod> baselines(const MethodTable& place, const MethodSource& source) {
  toml::table table;
  table.insert("name", "average kernel");
  table.insert("regularizer", "average");
  const ComparedMethod average = read_method(place, source, table);
  if (source.data == nullptr) return {average, {"best single kernel", {}}};
  return kernmix::baselines(*source.data, average.candidates);
}

}  // namespace kernmix::cli
