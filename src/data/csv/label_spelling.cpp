#include "data/csv/label_spelling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "data/words/look_alike.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

std::string label_spellings(const std::vector<std::string>& labels, const std::string& column) {
  const LookAlikes found = find_look_alikes(labels);
  if (found.differ.empty()) return "";
  return fmt::format(
      "the labels {} (of {} samples) and {} (of {}) in column {} differ only in {} and are "
      "different classes; write them alike if they are one class",
      in_quotes(found.first), std::ranges::count(labels, found.first), in_quotes(found.second),
      std::ranges::count(labels, found.second), in_quotes(column), found.differ);
}

std::string spellings_of(const std::vector<std::string>& words, const SpelledThings& things,
                         const std::string& column) {
  const LookAlikes found = find_look_alikes(words);
  if (found.differ.empty()) return "";
  return fmt::format(
      "the {} {} and {} in column {} differ only in {} and are different {}; write them alike if "
      "they are one {}",
      things.words, in_quotes(found.first), in_quotes(found.second), in_quotes(column),
      found.differ, things.many, things.one);
}

}  // namespace kernmix
