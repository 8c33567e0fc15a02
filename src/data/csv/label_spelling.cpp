#include "data/csv/label_spelling.hpp"

#include <fmt/format.h>

#include <map>

#include "base/text.hpp"
#include "kernmix/types.hpp"

namespace kernmix {
namespace {

/// In lower case and without blanks.
std::string core_of(const std::string& label) {
  std::string core;
  for (const char c : lowercase(label)) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') core += c;
  }
  return core;
}

}  // namespace

std::string label_spellings(const std::vector<std::string>& labels, const std::string& column) {
  constexpr std::size_t most = 1000;
  std::map<std::string, Index> counts;
  for (const std::string& label : labels) {
    ++counts[label];
    if (counts.size() > most) return "";
  }
  std::map<std::string, std::string> known;
  for (const auto& [label, count] : counts) {
    const auto [other, is_new] = known.emplace(core_of(label), label);
    if (is_new) continue;
    return fmt::format(
        "the labels {} (of {} samples) and {} (of {}) in column {} differ only in case or blanks "
        "and are different classes; write them alike if they are one class",
        in_quotes(other->second), counts[other->second], in_quotes(label), count,
        in_quotes(column));
  }
  return "";
}

}  // namespace kernmix
