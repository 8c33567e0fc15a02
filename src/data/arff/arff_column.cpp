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

constexpr const char* kUnknownWords =
    "is nominal, and the model does not know its words: the column had numbers in training, or the "
    "model is from kernmix 0.1, which did not store words; write numbers, or train the model again";

/// Why the attribute cannot have its role; empty if it can.
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
    return "has text or dates, but kernels read numbers; name it with --label, --id or --ignore";
  }
  if (values.size() <= 2 || all_numbers(values)) return "";
  return fmt::format(
      "is nominal with {} values, but kernels read numbers; use --categorical {}, or "
      "name it with --label, --id or --ignore",
      values.size(), attribute.name);
}

}  // namespace

void ArffColumn::choose_words(const InputFile& file, bool words) {
  if (role != Role::value || !categories.empty() || attribute.values.empty()) return;
  const auto asked = file.words.find(attribute.name);
  if (asked == file.words.end() && !(file.finds_words && words)) return;
  const bool ordered = asked != file.words.end() && !asked->second.empty();
  categories = ordered ? asked->second : attribute.values;
  as_indicators = !ordered;
}

ArffColumn::ArffColumn(ArffAttribute described, Role purpose, const InputFile& file)
    : attribute(std::move(described)), role(purpose) {
  const auto known = file.categories.find(attribute.name);
  if (role == Role::value && known != file.categories.end()) categories = known->second;
  const bool words =
      attribute.kind == ArffAttribute::Kind::nominal && !all_numbers(attribute.values);
  choose_words(file, words);
  std::string misuse = categories.empty() ? misuse_of(attribute, role) : "";
  if (misuse.empty() && role == Role::value && words && categories.empty()) {
    if (file.of_model) misuse = kUnknownWords;
    categories = attribute.values;
  }
  if (!misuse.empty()) {
    throw DataError(
        fmt::format("{}: attribute {} {}", file.path, in_quotes(attribute.name), misuse));
  }
  listed.insert(attribute.values.begin(), attribute.values.end());
  codes = codes_of(categories);
  if (!attribute.values.empty()) left_out = attribute.values.front();
  if (attribute.kind == ArffAttribute::Kind::number) left_out = std::string("0");
}

}  // namespace kernmix
