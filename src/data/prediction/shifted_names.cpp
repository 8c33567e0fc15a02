#include "data/prediction/shifted_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "data/column_selection.hpp"
#include "kernmix/error.hpp"
#include "kernmix/types.hpp"

namespace kernmix {
namespace {

/// The numbers of the columns of each file that counts them; "" without a prefix.
using Counts = std::map<std::string_view, std::set<Index>, std::less<>>;

Counts counts_of(const std::vector<std::string>& names) {
  Counts counts;
  for (const std::string& name : names) {
    const std::size_t point = name.rfind('.');
    const std::size_t begin = point == std::string::npos ? 0 : point + 1;
    const std::string_view number = std::string_view(name).substr(begin);
    const Index count = parse_position(number);
    const std::string_view file = std::string_view(name).substr(0, begin);
    const bool fraction = begin > 0 && parse_position(file.substr(0, begin - 1)) >= 0;  // 0.5
    const bool canonical = count >= 0 && !fraction && (number == "0" || !number.starts_with('0'));
    if (canonical) counts[file].insert(count);
  }
  return counts;
}

/// Exactly first, first + 1, ...
bool counts_from(const std::set<Index>& numbers, Index first) {
  return *numbers.begin() == first && *numbers.rbegin() - first + 1 == length(numbers);
}

std::string sentence_of(std::string_view prefix, Index first, Index last, Index of_training) {
  return fmt::format(
      "its columns are counted from {} ({}, ...) and those of the model from {} (up to {})", first,
      in_quotes(fmt::format("{}{}", prefix, first)), of_training,
      in_quotes(fmt::format("{}{}", prefix, last)));
}

}  // namespace

CountedNames compare_counts(const std::vector<std::string>& features,
                            const std::vector<std::string>& training) {
  const Counts known = counts_of(training);
  for (const auto& [prefix, numbers] : counts_of(features)) {
    const auto own = known.find(prefix);
    if (own == known.end()) continue;
    const std::set<Index>& columns = own->second;
    const Index last = *columns.rbegin();
    if (counts_from(columns, 1) && numbers.contains(0) && *numbers.rbegin() <= last) {
      const std::string sentence = sentence_of(prefix, 0, last, 1);
      if (numbers.contains(last)) return {false, true, sentence + ": they are read by name"};
      return {true, false,
              sentence + fmt::format(": add 1 to each name, or leave column {0} out with --ignore "
                                     "{0} if it is no feature",
                                     fmt::format("{}0", prefix))};
    }
    if (counts_from(columns, 0) && !numbers.contains(0) && numbers.contains(last + 1)) {
      return {true, false, sentence_of(prefix, 1, last, 0) + ": subtract 1 from each name"};
    }
  }
  return {};
}

void refuse_shifted_names(const std::vector<std::string>& features,
                          const std::vector<std::string>& training, const std::string& source) {
  const CountedNames found = compare_counts(features, training);
  if (!found.shifted) return;
  throw DataError(
      fmt::format("{}: {}; each would be read as its neighbour", source, found.sentence));
}

}  // namespace kernmix
