#include "grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/regularizer.hpp"

namespace kernmix::cli {
namespace {

[[noreturn]] void refuse_grid(const std::string& text, const std::string& why) {
  throw ParameterError(fmt::format("--grid {}: {}", in_quotes(text), why));
}

std::optional<double> number_of_text(std::string_view text) {
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "0.01..100*10": from, to, and the factor between them.
std::optional<std::vector<double>> range_of(const std::string& text, std::string_view values) {
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
  const auto steps =
      static_cast<Index>(std::floor(std::log(*to / *from) / std::log(*factor) + rounding));
  constexpr Index most = 1000;
  if (steps > most) refuse_grid(text, fmt::format("more than {} values", most));
  std::vector<double> list;
  for (Index k = 0; k <= steps; ++k) {
    // As it is written: 0.01 times ten squared is 1, not 1.0000000000000002.
    const double value = *from * std::pow(*factor, static_cast<double>(k));
    list.push_back(*number_of_text(fmt::format("{:.12g}", value)));
  }
  return list;
}

toml::array values_of(const std::string& text, std::string_view values) {
  toml::array list;
  if (const auto range = range_of(text, values)) {
    for (const double value : *range) list.push_back(value);
    return list;
  }
  for (const std::string_view item : split(values, ',')) {
    if (item.empty()) refuse_grid(text, "a value is missing between commas");
    if (const auto number = number_of_text(item)) {
      list.push_back(*number);
    } else {
      list.push_back(std::string(item));
    }
  }
  return list;
}

}  // namespace

toml::table grid_table(const std::vector<std::string>& specifications) {
  toml::table table;
  for (const std::string& text : specifications) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
      refuse_grid(text, "it must be KEY=VALUES such as C=0.1,1,10 or C=0.01..100*10");
    }
    const std::string key(trim(text.substr(0, sign)));
    if (table.contains(key)) refuse_grid(text, "the key has a grid already");
    table.insert(key, values_of(text, std::string_view(text).substr(sign + 1)));
  }
  return table;
}

TrainArguments without_parameters(TrainArguments arguments) {
  try {
    (void)parse_regularizer(arguments.regularizer);
  } catch (const ParameterError&) {
    arguments.regularizer = "l1";
  }
  return arguments;
}

std::string without_place(const std::string& message) {
  const std::string method = "'tune'";
  if (const std::size_t found = message.find(method); found != std::string::npos) {
    return "--grid" + message.substr(found + method.size());
  }
  const std::string place = "--grid:0: ";
  const std::string table = " of grid of [[method]]";
  const std::size_t named = message.find(table);
  if (!message.starts_with(place) || named == std::string::npos) return message;
  return "--grid: " + message.substr(place.size(), named - place.size()) +
         message.substr(named + table.size());
}

}  // namespace kernmix::cli
