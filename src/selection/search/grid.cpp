#include "kernmix/selection/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/arguments.hpp"
#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::size_t kMostPoints = 100000;
constexpr Index kMostValues = 1000;

[[noreturn]] void refuse_grid(const std::string& text, const std::string& why) {
  throw ParameterError(fmt::format("--grid {}: {}", in_quotes(text), why));
}

std::optional<double> number_of_text(std::string_view text) {
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

GridValue value_of(double number) { return {fmt::format("{}", number), number}; }

/// "0.01..100*10": from, to, and the factor between them.
std::optional<std::vector<GridValue>> range_of(const std::string& text, std::string_view values) {
  const std::size_t dots = values.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const std::size_t star = values.find('*', dots);
  const auto from = number_of_text(values.substr(0, dots));
  const auto to = number_of_text(
      values.substr(dots + 2, star == std::string_view::npos ? star : star - dots - 2));
  const auto factor = star == std::string_view::npos ? std::optional(10.0)
                                                     : number_of_text(values.substr(star + 1));
  if (!from || !to || !factor) return std::nullopt;
  if (!(*from > 0.0 && *to > *from && *factor > 1.0 && std::isfinite(*to))) {
    refuse_grid(text, "a range rises from a number > 0 by a factor > 1, as in 0.01..100*10");
  }
  constexpr double rounding = 1e-9;
  const double steps = std::floor(std::log(*to / *from) / std::log(*factor) + rounding);
  if (steps > static_cast<double>(kMostValues)) {
    refuse_grid(text, fmt::format("more than {} values", kMostValues));
  }
  std::vector<GridValue> list;
  for (Index k = 0; k <= static_cast<Index>(steps); ++k) {
    // In decimal arithmetic: 0.01 times ten squared is 1, not 1.0000000000000002.
    const double value = *from * std::pow(*factor, static_cast<double>(k));
    list.push_back(value_of(*number_of_text(fmt::format("{:.12g}", value))));
  }
  return list;
}

/// The texts between commas, except commas in double quotes or parentheses.
std::vector<std::string> items_of(const std::string& text, std::string_view values) {
  std::vector<std::string> items(1);
  bool quoted = false;
  int depth = 0;
  for (const char c : values) {
    if (c == '"') {
      quoted = !quoted;
      continue;
    }
    if (!quoted && c == '(') ++depth;
    if (!quoted && c == ')' && --depth < 0) break;
    if (c == ',' && !quoted && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  if (quoted || depth != 0) refuse_grid(text, "a quote or a parenthesis is not closed");
  return items;
}

std::vector<GridValue> values_of(const std::string& text, std::string_view values) {
  if (auto range = range_of(text, values)) return std::move(*range);
  std::vector<GridValue> list;
  for (const std::string& item : items_of(text, values)) {
    if (item.empty()) refuse_grid(text, "a value is missing between commas");
    const auto number = number_of_text(item);
    list.push_back(number ? value_of(*number) : GridValue{item, std::nullopt});
  }
  return list;
}

/// The parameters of the regularizers with the name in `text`: p of lp, theta of soft-margin.
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

/// "lp:p=2" with another value of a parameter.
std::string with_parameter(const std::string& regularizer, const std::string& parameter,
                           const std::string& value) {
  const std::vector<std::string> known = regularizer_parameters(regularizer);
  const std::string values = argument_of(regularizer);
  std::vector<std::string> parts;
  for (const std::string_view part : split(values, ',')) {
    const std::size_t sign = part.find('=');
    const bool by_place = sign == std::string_view::npos && !known.empty();
    if (part.empty() || (by_place ? known.front() : part.substr(0, sign)) == parameter) continue;
    parts.emplace_back(part);
  }
  parts.push_back(parameter + "=" + value);
  return fmt::format("{}:{}", name_of(regularizer), fmt::join(parts, ","));
}

/// `texts` with the value of one axis.
void set_value(const std::string& key, const GridValue& value, SettingTexts& texts) {
  if (const Field* const field = field_of_key(key)) {
    texts[field->name] = {value.text};
    return;
  }
  std::vector<std::string>& regularizer = texts["regularizer"];
  if (regularizer.empty()) regularizer.push_back(regularizer_text(Regularizer()));
  regularizer.front() = with_parameter(regularizer.front(), key, value.text);
}

/// By name, C last, because models along C start from each other's answers.
void in_order(std::vector<GridAxis>& axes) {
  std::ranges::sort(axes, {}, [](const GridAxis& axis) {
    const Field* const field = field_of_key(axis.key);
    return std::pair(field != nullptr && field->name == "C", axis.key);
  });
}

Index path_length(const std::vector<GridAxis>& axes) {
  if (axes.empty()) return 1;
  const std::vector<GridValue>& last = axes.back().values;
  const auto is_number = [](const GridValue& value) { return value.number.has_value(); };
  return std::ranges::all_of(last, is_number) ? length(last) : 1;
}

void check_repeated_values(const std::vector<GridAxis>& axes) {
  for (const GridAxis& axis : axes) {
    const auto twice = repeated_value(axis);
    if (twice) throw ParameterError(fmt::format("the grid of {} has {} twice", axis.key, *twice));
  }
}

void check_size(const std::vector<GridAxis>& axes) {
  double points = 1.0;
  for (const GridAxis& axis : axes) points *= static_cast<double>(axis.values.size());
  if (points <= static_cast<double>(kMostPoints)) return;
  throw ParameterError(
      fmt::format("the grid has {:.6g} points, at most {} can be tried: give "
                  "fewer values",
                  points, kMostPoints));
}

/// Point number `place`; the last axis varies fastest.
GridPoint point_at(const SettingTexts& settings, const std::vector<GridAxis>& axes,
                   std::size_t place) {
  std::vector<std::size_t> at(axes.size(), 0);
  for (std::size_t i = axes.size(); i-- > 0; place /= axes[i].values.size()) {
    at[i] = place % axes[i].values.size();
  }
  GridPoint point;
  point.settings = settings;
  std::vector<std::string> parts;
  for (const bool of_regularizer :
       {false, true}) {  // because the settings may name the regularizer
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if ((field_of_key(axes[i].key) == nullptr) != of_regularizer) continue;
      set_value(axes[i].key, axes[i].values[at[i]], point.settings);
    }
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const GridValue& value = axes[i].values[at[i]];
    if (axes[i].values.size() > 1) parts.push_back(axes[i].key + "=" + value.text);
    if (value.number) point.numbers.emplace_back(axes[i].key, *value.number);
  }
  point.name = fmt::format("{}", fmt::join(parts, ", "));
  return point;
}

}  // namespace

std::vector<GridAxis> parse_grid(const std::vector<std::string>& specifications) {
  std::vector<GridAxis> axes;
  for (const std::string& text : specifications) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
      refuse_grid(text, "it must be KEY=VALUES such as C=0.1,1,10 or C=0.01..100*10");
    }
    const std::string key(trim(text.substr(0, sign)));
    if (std::ranges::find(axes, key, &GridAxis::key) != axes.end()) {
      refuse_grid(text, "the key has a grid already");
    }
    axes.push_back({key, values_of(text, std::string_view(text).substr(sign + 1))});
  }
  return axes;
}

std::optional<std::string> repeated_value(const GridAxis& axis) {
  std::set<std::string> seen;
  for (const GridValue& value : axis.values) {
    if (!seen.insert(value.text).second) return value.text;
  }
  return std::nullopt;
}

std::vector<std::string> grid_keys() {
  std::vector<std::string> keys;
  for (const Field& field : fields()) {
    if (field.name != "positive") keys.push_back(field.key());
  }
  return keys;
}

namespace {

/// "; regularizer lp has it" for a parameter of another regularizer, or empty.
std::string owner_of(const std::string& parameter) {
  for (const RegularizerInfo& info : regularizers()) {
    const std::vector<std::string> own = regularizer_parameters(info.syntax);
    if (std::ranges::find(own, parameter) == own.end()) continue;
    return fmt::format("; regularizer {} has it", info.syntax.substr(0, info.syntax.find(':')));
  }
  return "";
}

}  // namespace

std::optional<std::string> refusal_of_axis(const std::string& key, const std::string& regularizer) {
  std::vector<std::string> known = grid_keys();
  const std::vector<std::string> parameters = regularizer_parameters(regularizer);
  known.insert(known.end(), parameters.begin(), parameters.end());
  if (std::ranges::find(known, key) != known.end()) return std::nullopt;
  const std::string hint = did_you_mean(key, known);
  return fmt::format(
      "is neither an option that can have a grid nor a parameter of the regularizer {}{}",
      regularizer.substr(0, regularizer.find(':')), hint.empty() ? owner_of(key) : hint);
}

std::vector<GridPoint> grid_points(const SettingTexts& settings, std::vector<GridAxis> axes) {
  in_order(axes);
  check_size(axes);
  check_repeated_values(axes);
  std::size_t count = 1;
  for (const GridAxis& axis : axes) count *= axis.values.size();
  const auto length_of_path = to_size(path_length(axes));
  std::vector<GridPoint> points;
  for (std::size_t place = 0; place < count; ++place) {
    points.push_back(point_at(settings, axes, place));
    points.back().path = static_cast<Index>(place / length_of_path);
  }
  return points;
}

}  // namespace kernmix
