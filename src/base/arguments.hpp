#pragma once
/// \file
/// Parsing of the numbers in "name:p=4/3,theta=0.1", and of types that consist of numbers.

#include <map>
#include <string>
#include <vector>

#include "kernmix/range.hpp"

namespace kernmix {

/// "elastic-net:l1=1,l2=0.5": a name and named numbers. A single number without a name belongs to
/// the first parameter ("lp:2"). Numbers may be fractions (4/3) and inf.
class Arguments {
 public:
  /// \param parameters  the names that may be given, in order
  /// \param example     a complete text for the message about numbers that were not given
  /// \throws ParameterError for an unknown or repeated name, and for values that are not numbers
  Arguments(const std::string& text, std::vector<std::string> parameters, std::string example);

  /// \throws ParameterError with the example when it was not given
  [[nodiscard]] double number(const std::string& parameter) const;
  [[nodiscard]] double number(const std::string& parameter, double otherwise) const;
  [[nodiscard]] bool has(const std::string& parameter) const { return values_.contains(parameter); }
  /// \throws ParameterError unless it lies in the range of parameters
  [[nodiscard]] double positive(const std::string& parameter) const;

 private:
  [[noreturn]] void refuse_missing() const;

  std::string name_;
  std::vector<std::string> parameters_;
  std::string example_;
  std::map<std::string, double> values_;
};

/// The part of `text` before ':'.
[[nodiscard]] std::string name_of(const std::string& text);
/// The part after it.
[[nodiscard]] std::string argument_of(const std::string& text);

/// Adds a named number, as Arguments reads it: "net" -> "net:l1=1" -> "net:l1=1,l2=0.5".
void append_argument(std::string& text, const char* parameter, double value);

/// \throws ParameterError when the text is more than a name
void expect_no_arguments(const std::string& text);

/// 0.5, 1e-3, 4/3, inf. \throws ParameterError that begins with `place`
[[nodiscard]] double parse_parameter(const std::string& text, const std::string& place);

/// The range of a parameter: from smallest_parameter to `upper`.
struct ParameterRange {
  double upper = largest_parameter;
  bool zero = false;   ///< 0 as well
  bool below = false;  ///< less than `upper`
};
inline constexpr ParameterRange zero_as_well{largest_parameter, true, false};
inline constexpr ParameterRange up_to_one{1.0, false, false};
inline constexpr ParameterRange zero_to_one{1.0, true, false};
inline constexpr ParameterRange below_one{1.0, false, true};
inline constexpr ParameterRange zero_or_below_one{1.0, true, true};

/// \throws ParameterError naming the range if the value is outside
void check_parameter(const std::string& name, const char* parameter, double value,
                     const ParameterRange& range);

/// A numeric member of T; the static array T::parameters lists them.
template <typename T>
struct Parameter {
  const char* name;
  double T::*value;
  ParameterRange range{};
};

/// \throws ParameterError if a parameter is out of range
template <typename T>
void check_parameters(const std::string& name, const T& value) {
  for (const Parameter<T>& parameter : T::parameters) {
    check_parameter(name, parameter.name, value.*parameter.value, parameter.range);
  }
}

/// "name:p=2,theta=0.1"
template <typename T>
[[nodiscard]] std::string text_with_parameters(std::string name, const T& value) {
  for (const Parameter<T>& parameter : T::parameters) {
    append_argument(name, parameter.name, value.*parameter.value);
  }
  return name;
}

template <typename T>
[[nodiscard]] std::vector<std::string> parameter_names() {
  std::vector<std::string> names;
  for (const Parameter<T>& parameter : T::parameters) names.emplace_back(parameter.name);
  return names;
}

/// Parses a T from the text of all its numbers. \throws ParameterError
template <typename T>
[[nodiscard]] T parse_parameters(const std::string& text) {
  const Arguments arguments(text, parameter_names<T>(), T::info().example);
  T value;
  for (const Parameter<T>& parameter : T::parameters) {
    value.*parameter.value = arguments.number(parameter.name);
  }
  check_parameters(name_of(text), value);
  return value;
}

/// Parses a T from the text of some of its numbers; the others keep their defaults.
/// \throws ParameterError
template <typename T>
[[nodiscard]] T parse_some_parameters(const std::string& text) {
  const Arguments arguments(text, parameter_names<T>(), {});
  T value;
  for (const Parameter<T>& parameter : T::parameters) {
    double& number = value.*parameter.value;
    number = arguments.number(parameter.name, number);
  }
  check_parameters(name_of(text), value);
  return value;
}

}  // namespace kernmix
