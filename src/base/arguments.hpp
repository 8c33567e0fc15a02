#pragma once
/// \file
/// The numbers of "name:p=4/3,theta=0.1".

#include <map>
#include <string>
#include <vector>

namespace kernmix {

/// "elastic-net:l1=1,l2=0.5": a name and named numbers. A single number without a name belongs to
/// the first parameter ("lp:2"). Numbers may be fractions (4/3) and inf.
class Arguments {
 public:
  /// \param parameters  the names that may be given, in order
  /// \throws ParameterError for an unknown or repeated name, or what is not a number
  Arguments(const std::string& text, const std::vector<std::string>& parameters);

  /// \throws ParameterError when it was not given
  [[nodiscard]] double number(const std::string& parameter) const;
  [[nodiscard]] double number(const std::string& parameter, double otherwise) const;
  /// \throws ParameterError unless it lies in the range of parameters
  [[nodiscard]] double positive(const std::string& parameter) const;

 private:
  std::string name_;
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

}  // namespace kernmix
