#include "compare/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "compare/table_reader.hpp"
#include "config.hpp"
#include "kernmix/error.hpp"
#include "kernmix/regularizer.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

constexpr const char* kMethod = "[[method]]";

/// One axis of a grid: a key and its values.
struct GridAxis {
  std::string key;
  std::vector<const toml::node*> values;
  bool of_regularizer = false;  ///< a parameter such as p, else an option
};

/// A point of the grid: a value for each axis.
using GridPoint = std::vector<const toml::node*>;

std::string text_of_value(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  return {};
}

/// The names of the parameters of the regularizers that begin as `text` does: p of lp, theta of
/// soft-margin.
std::vector<std::string> regularizer_parameters(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  std::vector<std::string> parameters;
  for (const RegularizerInfo& info : regularizers()) {
    const std::string syntax = info.syntax.substr(0, info.syntax.find(' '));
    const std::size_t colon = syntax.find(':');
    if (colon == std::string::npos || syntax.substr(0, colon) != name) continue;
    for (const std::string_view part : split(std::string_view(syntax).substr(colon + 1), ',')) {
      const std::size_t sign = part.find('=');
      if (sign != std::string_view::npos) parameters.emplace_back(part.substr(0, sign));
    }
  }
  return parameters;
}

GridAxis read_axis(const TableReader& grid, const std::string& key, const toml::node& node,
                   const std::vector<std::string>& parameters) {
  GridAxis axis{key, {}, false};
  const std::vector<std::string> options = method_options();
  if (std::ranges::find(options, key) == options.end()) {
    if (std::ranges::find(parameters, key) == parameters.end()) {
      std::vector<std::string> known = options;
      known.insert(known.end(), parameters.begin(), parameters.end());
      grid.refuse_key(key, fmt::format("is neither an option of train nor a parameter of the "
                                       "regularizer{}",
                                       did_you_mean(key, known)));
    }
    axis.of_regularizer = true;
  }
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty()) {
    grid.refuse_key(key, "must be a list of values such as [0.1, 1, 10]");
  }
  for (const toml::node& value : *list) {
    if (text_of_value(value).empty()) grid.refuse_key(key, "must hold texts or numbers");
    axis.values.push_back(&value);
  }
  return axis;
}

/// C runs fastest: its models begin with each other's answers.
void c_last(std::vector<GridAxis>& axes) {
  std::stable_partition(axes.begin(), axes.end(),
                        [](const GridAxis& axis) { return axis.key != "C"; });
}

std::vector<GridPoint> points_of(const std::vector<GridAxis>& axes) {
  std::vector<GridPoint> points(1);
  for (const GridAxis& axis : axes) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : points) {
      for (const toml::node* value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

/// The options of one point, the regularizer's parameters included.
TrainArguments arguments_at(const MethodSource& source, const toml::table& table,
                            const std::vector<GridAxis>& axes, const GridPoint& point) {
  TrainArguments own = source.arguments;
  CLI::App app("", "method");
  add_learning_options(app, own);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].of_regularizer) apply_config_key(app, source.file, axes[i].key, *point[i]);
  }
  for (const auto& item : table) {
    const std::string key(item.first.str());
    if (key != "name" && key != "grid") apply_config_key(app, source.file, key, item.second);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].of_regularizer) continue;
    own.regularizer += own.regularizer.find(':') == std::string::npos ? ":" : ",";
    own.regularizer += fmt::format("{}={}", axes[i].key, text_of_value(*point[i]));
  }
  return own;
}

std::string point_name(const std::vector<GridAxis>& axes, const GridPoint& point) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].values.size() > 1) {
      parts.push_back(fmt::format("{}={}", axes[i].key, text_of_value(*point[i])));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// How many points follow each other on one path: those of the last axis, where that is of numbers.
Index path_length(const std::vector<GridAxis>& axes) {
  if (axes.empty()) return 1;
  const auto is_number = [](const toml::node* value) { return value->is_number(); };
  const std::vector<const toml::node*>& last = axes.back().values;
  return std::ranges::all_of(last, is_number) ? length(last) : 1;
}

std::vector<std::pair<std::string, double>> numbers_at(const std::vector<GridAxis>& axes,
                                                       const GridPoint& point) {
  std::vector<std::pair<std::string, double>> numbers;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto number = point[i]->value<double>();
    if (number && !point[i]->is_string()) numbers.emplace_back(axes[i].key, *number);
  }
  return numbers;
}

Candidate candidate_of(const MethodSource& source, const TrainArguments& arguments,
                       std::string name) {
  TrainOptions options = train_options(arguments);
  if (source.data != nullptr) {
    copy_of_samples(source.options, options);
    complete_options(arguments, *source.data, options, &source.options);
  }
  return {std::move(name), std::move(options), {}};
}

/// The axes of the method's own grid, then those of [experiment] that it does not have. Keys of the
/// method itself are fixed.
std::vector<GridAxis> axes_of(const MethodSource& source, const TableReader& method) {
  const auto parameters = regularizer_parameters(method.text_or("regularizer", "l1"));
  std::vector<GridAxis> axes;
  const toml::table* const own = method.inner("grid");
  if (own != nullptr) {
    const TableReader grid(source.file, "grid of [[method]]", *own);
    for (const auto& item : *own) {
      axes.push_back(read_axis(grid, std::string(item.first.str()), item.second, parameters));
    }
  }
  if (source.grid != nullptr) {
    const TableReader grid(source.file, "grid of [experiment]", *source.grid);
    for (const auto& item : *source.grid) {
      const std::string key(item.first.str());
      const bool known =
          method.has(key) || std::ranges::find(axes, key, &GridAxis::key) != axes.end();
      if (!known) axes.push_back(read_axis(grid, key, item.second, parameters));
    }
  }
  c_last(axes);
  return axes;
}

}  // namespace

std::vector<std::string> method_options() {
  TrainArguments arguments;
  CLI::App app("", "method");
  app.set_help_flag();
  add_learning_options(app, arguments);
  std::vector<std::string> keys = known_keys(app);
  std::erase(keys, "view");
  std::erase(keys, "sample-weight");
  std::erase(keys, "positive");
  keys.emplace_back("C");
  return keys;
}

ComparedMethod read_method(const MethodSource& source, const toml::table& table) {
  const TableReader reader(source.file, kMethod, table);
  reader.check_keys({"name", "grid"}, method_options());
  ComparedMethod method{reader.text("name"), {}};
  const std::vector<GridAxis> axes = axes_of(source, reader);
  for (const GridPoint& point : points_of(axes)) {
    const TrainArguments arguments = arguments_at(source, table, axes, point);
    const std::string name = point_name(axes, point);
    try {
      method.candidates.push_back(candidate_of(source, arguments, name));
      method.candidates.back().numbers = numbers_at(axes, point);
      method.candidates.back().path = (length(method.candidates) - 1) / path_length(axes);
    } catch (const ParameterError& error) {
      reader.refuse(fmt::format("'{}'{}: {}", method.name,
                                name.empty() ? "" : fmt::format(" ({})", name), error.what()));
    }
  }
  return method;
}

std::vector<ComparedMethod> baselines(const MethodSource& source) {
  toml::table table;
  table.insert("name", "average kernel");
  table.insert("regularizer", "average");
  ComparedMethod average = read_method(source, table);
  ComparedMethod single{"best single kernel", {}};
  if (source.data != nullptr) {
    single.candidates = single_kernel_candidates(*source.data, average.candidates);
  }
  return {std::move(average), std::move(single)};
}

}  // namespace kernmix::cli
