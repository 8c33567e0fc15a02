#include "data/label_lists.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "data/column_selection.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// "+1" and "1.0" are "1".
std::string plain_name(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  return number ? fmt::format("{}", *number + 0.0) : std::string(text);  // + 0.0: no "-0"
}

/// Numbers before other names, by value; the others by their bytes.
bool comes_before(const std::string& a, const std::string& b) {
  const std::optional<double> x = parse_number(a);
  const std::optional<double> y = parse_number(b);
  if (x && y) return *x < *y;
  return x.has_value() != y.has_value() ? x.has_value() : a < b;
}

std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& list : lists) {
    if (list.empty()) continue;
    for (const std::string_view name : split(list, ',')) seen.insert(name);
  }
  std::vector<std::string> names(seen.begin(), seen.end());
  std::sort(names.begin(), names.end(), comes_before);
  return names;
}

/// Collects the names of labels, item by item.
class LabelSelection {
 public:
  LabelSelection(const std::vector<std::string>& found, const std::string& source, Index samples,
                 std::size_t memory_bytes)
      : found_(found),
        known_(found.begin(), found.end()),
        source_(source),
        samples_(samples),
        memory_bytes_(memory_bytes) {}

  void add(const std::string& item) {
    if (known_.count(item) > 0) return take(item);
    if (is_glob(item)) return add_matches(item);
    const std::size_t dash = item.find('-');
    const Index first = parse_position(trim(std::string_view(item).substr(0, dash)));
    const Index last = dash == std::string::npos
                           ? first
                           : parse_position(trim(std::string_view(item).substr(dash + 1)));
    if (first < 0 || last < first) refuse(item, "no sample has the label");
    require_table_memory(source_, samples_, last - first, memory_bytes_);
    for (Index number = first; number <= last; ++number) take(std::to_string(number));
  }

  std::vector<std::string> names;

 private:
  [[noreturn]] void refuse(const std::string& item, const char* what) const {
    throw ParameterError(fmt::format("--labels: {}: {} {}{}", source_, what, in_quotes(item),
                                     did_you_mean(item, found_)));
  }

  void take(const std::string& name) {
    if (taken_.insert(name).second) names.push_back(name);
  }

  void add_matches(const std::string& pattern) {
    bool any = false;
    for (const std::string& name : found_) {
      if (!glob_match(pattern, name)) continue;
      take(name);
      any = true;
    }
    if (!any) refuse(pattern, "no label matches");
  }

  const std::vector<std::string>& found_;
  std::unordered_set<std::string> known_;
  std::unordered_set<std::string> taken_;
  const std::string& source_;
  Index samples_;
  std::size_t memory_bytes_;
};

}  // namespace

std::string ordered_label_list(std::string_view list, const std::string& path, Index line) {
  if (list.empty()) return "";
  std::vector<std::string> names;
  for (const std::string_view item : split(list, ',')) {
    if (is_missing_name(item)) {
      throw DataError(fmt::format(
          "{}:{}: {} lacks a label between commas; a sample without labels begins with its values",
          path, line, in_quotes(list)));
    }
    names.push_back(plain_name(item));
  }
  std::sort(names.begin(), names.end(), comes_before);
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw DataError(fmt::format("{}:{}: label {} occurs twice in {}; write it once", path, line,
                                in_quotes(*twice), in_quotes(list)));
  }
  return fmt::format("{}", fmt::join(names, ","));
}

MultiLabels labels_of_lists(const std::vector<std::string>& lists,
                            const std::vector<std::string>& items, const std::string& source,
                            std::size_t memory_bytes) {
  const std::vector<std::string> found = names_in(lists);
  if (found.empty()) throw DataError(source + ": no sample has a label");
  LabelSelection selection(found, source, length(lists), memory_bytes);
  for (const std::string& item : items) selection.add(item);
  MultiLabels labels;
  labels.names = std::move(selection.names);
  const std::size_t count = labels.names.size();
  require_table_memory(source, length(lists), length(labels.names), memory_bytes);
  labels.values.assign(lists.size() * count, 0);
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t t = 0; t < count; ++t) position.emplace(labels.names[t], t);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const std::string_view name : split(lists[i], ',')) {
      const auto at = position.find(name);
      if (at != position.end()) labels.values[i * count + at->second] = 1;
    }
  }
  return labels;
}

}  // namespace kernmix
