#include "base/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/range.hpp"

namespace kernmix {
namespace {

std::optional<double> plain_number(const std::string& text) {
  if (text == "inf" || text == "infinity") return std::numeric_limits<double>::infinity();
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

}  // namespace

std::string name_of(const std::string& text) { return text.substr(0, text.find(':')); }

std::string argument_of(const std::string& text) {
  const auto colon = text.find(':');
  return colon == std::string::npos ? std::string() : text.substr(colon + 1);
}

void append_argument(std::string& text, const char* parameter, double value) {
  const char separator = text.find(':') == std::string::npos ? ':' : ',';
  text += fmt::format("{}{}={}", separator, parameter, value);
}

void expect_no_arguments(const std::string& text) { static_cast<void>(Arguments(text, {}, {})); }

double parse_parameter(const std::string& text, const std::string& place) {
  const auto slash = text.find('/');
  const std::optional<double> top = plain_number(text.substr(0, slash));
  const std::optional<double> bottom =
      slash == std::string::npos ? std::optional(1.0) : plain_number(text.substr(slash + 1));
  if (!top || !bottom || *bottom == 0.0) {
    throw ParameterError(fmt::format("{}: '{}' is not a number", place, text));
  }
  return *top / *bottom;
}

Arguments::Arguments(const std::string& text, std::vector<std::string> parameters,
                     std::string example)
    : name_(name_of(text)), parameters_(std::move(parameters)), example_(std::move(example)) {
  std::istringstream parts(argument_of(text));
  for (std::string part; std::getline(parts, part, ',');) {
    const auto equals = part.find('=');
    if (parameters_.empty()) {
      throw ParameterError(
          fmt::format("{}: takes no argument, got '{}'", name_, argument_of(text)));
    }
    const std::string key =
        equals == std::string::npos ? parameters_.front() : part.substr(0, equals);
    if (std::ranges::find(parameters_, key) == parameters_.end()) {
      throw ParameterError(fmt::format("{}: unknown parameter '{}', known are {}", name_, key,
                                       comma_list(parameters_)));
    }
    const std::string digits = equals == std::string::npos ? part : part.substr(equals + 1);
    if (!values_.emplace(key, parse_parameter(digits, name_)).second) {
      throw ParameterError(fmt::format("{}: {} was given twice", name_, key));
    }
  }
}

/// Names all missing numbers at once, so that the first correction is the last.
void Arguments::refuse_missing() const {
  std::string missing;
  for (const std::string& parameter : parameters_) {
    if (!has(parameter)) missing += (missing.empty() ? "" : " and ") + parameter;
  }
  throw ParameterError(fmt::format("{}: give {}, as in {}", name_, missing, example_));
}

double Arguments::number(const std::string& parameter) const {
  const auto found = values_.find(parameter);
  if (found != values_.end()) return found->second;
  refuse_missing();
}

double Arguments::positive(const std::string& parameter) const {
  const double value = number(parameter);
  check_parameter(name_, parameter.c_str(), value, {});
  return value;
}

double Arguments::number(const std::string& parameter, double otherwise) const {
  const auto found = values_.find(parameter);
  return found == values_.end() ? otherwise : found->second;
}

void check_parameter(const std::string& name, const char* parameter, double value,
                     const ParameterRange& range) {
  const bool above = range.below ? value >= range.upper : value > range.upper;
  if ((range.zero && value == 0.0) || (value >= smallest_parameter && !above)) return;
  const std::string numbers =
      range.upper == largest_parameter
          ? fmt::format("{}lie in [{}, {}]", range.zero ? "be 0 or " : "", smallest_parameter,
                        largest_parameter)
          : fmt::format("be {}>= {} and {} {}", range.zero ? "0 or " : "", smallest_parameter,
                        range.below ? "<" : "<=", range.upper);
  throw ParameterError(fmt::format("{}: {} must {}, got {}", name, parameter, numbers, value));
}

}  // namespace kernmix
