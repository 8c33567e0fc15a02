#include "data/arff/arff_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

bool all_numbers(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const std::string& value) { return parse_number(value).has_value(); });
}

/// Why the attribute cannot be what it is for; empty when it can.
std::string misuse_of(const ArffAttribute& attribute, Role role) {
  const auto& values = attribute.values;
  if (role == Role::flag) {
    const auto other = std::find_if(values.begin(), values.end(), [](const std::string& value) {
      return parse_flag(value) == '\0';
    });
    if (other == values.end()) return "";
    return fmt::format("is a label with the value {}; a label has the values 0 and 1",
                       in_quotes(*other));
  }
  if (role != Role::value || attribute.kind == ArffAttribute::Kind::number) return "";
  if (values.empty()) {
    return "holds text or dates, kernels read numbers; name it with --label, --id or --ignore";
  }
  if (values.size() <= 2 || all_numbers(values)) return "";
  return fmt::format(
      "is nominal with {} values, kernels read numbers; write a 0/1 column for each value, or name "
      "it with --label, --id or --ignore",
      values.size());
}

}  // namespace

ArffColumn::ArffColumn(ArffAttribute described, Role purpose, const std::string& path)
    : attribute(std::move(described)), role(purpose) {
  const std::string misuse = misuse_of(attribute, role);
  if (!misuse.empty()) {
    throw DataError(fmt::format("{}: attribute {} {}", path, in_quotes(attribute.name), misuse));
  }
  const bool numeric = all_numbers(attribute.values);
  for (std::size_t k = 0; k < attribute.values.size(); ++k) {
    const std::string& value = attribute.values[k];
    numbers.emplace(value, numeric ? *parse_number(value) : static_cast<double>(k));
  }
  if (!attribute.values.empty()) left_out = attribute.values.front();
  if (attribute.kind == ArffAttribute::Kind::number) left_out = std::string("0");
}

}  // namespace kernmix
