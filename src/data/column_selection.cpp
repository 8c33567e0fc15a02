#include "data/column_selection.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

Index parse_position(std::string_view text) {
  Index position = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, position);
  const bool whole = !text.empty() && parsed.ptr == end && parsed.ec == std::errc();
  return whole && position >= 0 ? position : -1;
}

ColumnSelection::ColumnSelection(const std::vector<std::string>& columns, std::string source,
                                 std::string option)
    : columns_(columns),
      source_(std::move(source)),
      option_(std::move(option)),
      taken_(columns.size(), false) {
  for (Index j = 0; j < length(columns); ++j) {
    position_.emplace(columns[to_size(j)], j);
  }
}

void ColumnSelection::add(std::string_view item) {
  if (item.empty()) refuse("an item of the column list is empty");
  if (const auto exact = position_.find(item); exact != position_.end()) {
    return add_range(exact->second, exact->second);
  }
  if (const std::size_t dots = item.find(".."); dots != std::string_view::npos) {
    return add_named_range(item, trim(item.substr(0, dots)), trim(item.substr(dots + 2)));
  }
  if (is_glob(item)) return add_matches(item);
  const std::size_t dash = item.find('-');
  if (dash != std::string_view::npos) {
    const std::string_view from = trim(item.substr(0, dash));
    const std::string_view to = trim(item.substr(dash + 1));
    if (position_.contains(from) && position_.contains(to)) return add_named_range(item, from, to);
  }
  const Index first = parse_position(trim(item.substr(0, dash)));
  const Index last =
      dash == std::string_view::npos ? first : parse_position(trim(item.substr(dash + 1)));
  if (first < 0 || last < 0) refuse_unknown(item);
  if (first < 1 || last > length(columns_)) {
    refuse(fmt::format("position {} is outside of 1-{}", item, columns_.size()));
  }
  if (first > last) refuse(fmt::format("range {} runs backwards", item));
  add_range(first - 1, last - 1);
}

void ColumnSelection::refuse(const std::string& reason) const {
  throw ParameterError(fmt::format("{}: {}", option_, reason));
}

void ColumnSelection::refuse_unknown(std::string_view name) const {
  refuse(
      fmt::format("{} has no column {}{}", source_, in_quotes(name), did_you_mean(name, columns_)));
}

Index ColumnSelection::find(std::string_view name) const {
  const auto found = position_.find(name);
  if (found == position_.end()) refuse_unknown(name);
  return found->second;
}

void ColumnSelection::add_named_range(std::string_view item, std::string_view first,
                                      std::string_view last) {
  const Index from = find(first);
  const Index to = find(last);
  if (from > to) refuse(fmt::format("range {} runs backwards", item));
  add_range(from, to);
}

void ColumnSelection::add_matches(std::string_view pattern) {
  bool any = false;
  for (Index j = 0; j < length(columns_); ++j) {
    if (!glob_match(pattern, columns_[to_size(j)])) continue;
    add_range(j, j);
    any = true;
  }
  if (!any) refuse(fmt::format("no column of {} matches {}", source_, in_quotes(pattern)));
}

void ColumnSelection::add_range(Index from, Index to) {
  for (Index j = from; j <= to; ++j) {
    const auto at = to_size(j);
    if (!taken_[at]) chosen_.push_back(j);
    taken_[at] = true;
  }
}

}  // namespace kernmix
