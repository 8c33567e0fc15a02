#pragma once
/// \file
/// The grammar of the kernel language, independent of the views of the data.
///
///   expression = function ["(" parameter {"," parameter} ")"] ["on" views] {"," option}
///   parameter  = name "=" values
///   values     = numbers | ("median" | "near") ["*" numbers]
///   numbers    = range | "{" range {";" range} "}"
///   range      = number [".." number]
///   number     = ["-"] decimal ["^" ["-"] decimal]
///   views      = view {"|" view}
///   view       = "all" | "each view" | name | glob | quoted name
///   option     = "each" | "normalize=" rule | "group=" name

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/functions/definition.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

struct ParsedParameter {
  std::string name;
  std::vector<double> values;
  std::optional<TypicalDistance> distance = {};  ///< the values are multiples of it
};

struct ParsedView {
  std::string text;
  std::size_t position = 0;
};

/// An expression as written; positions are bytes, for errors.
struct ParsedExpression {
  std::string_view text;
  std::size_t function_position = 0;
  const KernelDefinition* kernel = nullptr;
  std::vector<ParsedParameter> parameters;
  std::vector<ParsedView> views;
  std::optional<std::size_t> each;  ///< where "each" stands
  std::optional<Normalization> normalization;
  std::size_t normalization_position = 0;
  std::string group;
};

/// Checks names and values of the function too.
/// \throws ParameterError whose message shows the expression with a caret
[[nodiscard]] ParsedExpression parse_expression(std::string_view text);

}  // namespace kernmix
