#include "kernel/language/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/language/expression_cursor.hpp"
#include "kernel/language/expression_values.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// check(), with a caret under `position` in its error.
template <typename Check>
auto pointing_at(std::string_view expression, std::size_t position, const Check& check) {
  try {
    return check();
  } catch (const ParameterError& error) {
    fail_at(expression, position, error.what());
  }
}

std::optional<TypicalDistance> accept_distance(Cursor& cursor) {
  for (const TypicalDistance distance : {TypicalDistance::median, TypicalDistance::near}) {
    if (cursor.accept(distance_name(distance))) return distance;
  }
  return std::nullopt;
}

/// Numbers, or "median", "near*2^-1..2^3": factors of a distance.
void parse_parameter_values(Cursor& cursor, ParsedParameter& parameter) {
  const std::size_t position = cursor.position();
  parameter.distance = accept_distance(cursor);
  if (parameter.distance && parameter.name != "width") {
    fail_at(cursor.text(), position,
            fmt::format("'{}' is a distance, which a width may be relative to, not {}",
                        distance_name(*parameter.distance), parameter.name));
  }
  if (!parameter.distance && parameter.name == "width" && !cursor.word().empty()) {
    fail_at(cursor.text(), position, "a width is a number, median or near, or a list {1; 2; 3}");
  }
  const bool no_factor = parameter.distance && !cursor.accept("*");
  parameter.values = no_factor ? std::vector<double>{1.0} : parse_values(cursor);
}

ParsedParameter parse_parameter(Cursor& cursor, const ParsedExpression& expression) {
  const KernelDefinition& kernel = *expression.kernel;
  const std::size_t name_position = cursor.position();
  ParsedParameter parameter{.name = std::string(cursor.word()), .values = {}};
  if (parameter.name.empty()) {
    const bool in_list = !cursor.decimal().empty();
    if (in_list) {
      fail_at(cursor.text(), name_position,
              "expected the name of a parameter; several values of one are a list {1; 2; 3}");
    }
    cursor.expected("the name of a parameter");
  }
  pointing_at(cursor.text(), name_position,
              [&] { check_kernel_parameter(kernel, parameter.name); });
  for (const ParsedParameter& earlier : expression.parameters) {
    if (earlier.name == parameter.name) {
      fail_at(cursor.text(), name_position, fmt::format("'{}' is given twice", parameter.name));
    }
  }
  if (!cursor.accept("=")) cursor.expected(fmt::format("'=' after '{}'", parameter.name));
  const std::size_t value_position = cursor.position();
  parse_parameter_values(cursor, parameter);
  for (const double value : parameter.values) {
    pointing_at(cursor.text(), value_position,
                [&] { check_kernel_parameter(kernel, parameter.name, value); });
  }
  return parameter;
}

void parse_function(Cursor& cursor, ParsedExpression& expression) {
  expression.function_position = cursor.position();
  const std::string_view name = cursor.word();
  if (name.empty()) cursor.expected("the name of a kernel");
  expression.kernel =
      pointing_at(cursor.text(), expression.function_position, [&] { return &find_kernel(name); });
  if (!cursor.accept("(")) return;
  if (cursor.accept(")")) return;
  do {
    expression.parameters.push_back(parse_parameter(cursor, expression));
  } while (cursor.accept(","));
  if (!cursor.accept(")")) {
    cursor.expected(
        fmt::format("',' or ')' after the value of '{}'", expression.parameters.back().name));
  }
}

/// "each view" stands for the glob "*".
ParsedView parse_view(Cursor& cursor) {
  ParsedView view;
  view.position = cursor.position();
  view.text = cursor.name(",|", "the name of a view");
  if (view.text != "each" || cursor.text()[view.position] != 'e') return view;
  const std::size_t position = cursor.position();
  if (cursor.word() != "view") {
    fail_at(cursor.text(), position,
            "expected 'view' after 'on each' (single columns are 'on all, each')");
  }
  view.text = std::string(1, '*');
  return view;
}

void parse_option(Cursor& cursor, ParsedExpression& expression) {
  const std::size_t position = cursor.position();
  const std::string_view option = cursor.word();
  if (option == "each") {
    expression.each = position;
  } else if (option == "normalize" && cursor.accept("=")) {
    expression.normalization_position = cursor.position();
    const std::string rule = cursor.name(",", "a normalization");
    expression.normalization = pointing_at(cursor.text(), expression.normalization_position,
                                           [&] { return parse_normalization(rule); });
  } else if (option == "group" && cursor.accept("=")) {
    expression.group = cursor.name(",", "the name of a group");
  } else {
    fail_at(cursor.text(), position,
            "expected 'each', 'normalize=RULE' or 'group=NAME' (several views are joined by '|')");
  }
}

}  // namespace

ParsedExpression parse_expression(std::string_view text) {
  Cursor cursor(text);
  ParsedExpression expression;
  expression.text = text;
  parse_function(cursor, expression);
  const std::size_t after = cursor.position();
  if (cursor.word() == "on") {
    do {
      expression.views.push_back(parse_view(cursor));
    } while (cursor.accept("|"));
  } else {
    cursor = Cursor(text, after);
  }
  while (cursor.accept(",")) parse_option(cursor, expression);
  if (!cursor.at_end()) {
    cursor.expected(expression.views.empty() ? "'on VIEWS', ',' or the end"
                                             : "'|', ',' or the end");
  }
  return expression;
}

}  // namespace kernmix
