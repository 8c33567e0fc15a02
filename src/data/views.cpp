#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

#include "kernmix/data/table.hpp"
#include "kernmix/error.hpp"
#include "text.hpp"

namespace kernmix {
namespace {

std::optional<Index> parse_position(std::string_view text) {
  Index position = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, position);
  if (text.empty() || parsed.ptr != end || parsed.ec != std::errc()) return std::nullopt;
  return position;
}

/// Collects the columns of one view, item by item.
class Selection {
 public:
  Selection(const Table& table, std::string specification)
      : table_(table),
        specification_(std::move(specification)),
        taken_(table.columns.size(), false) {
    for (Index j = 0; j < length(table.columns); ++j) {
      position_.emplace(table.columns[static_cast<std::size_t>(j)], j);
    }
  }

  void add(std::string_view item) {
    if (item.empty()) refuse("an item of the column list is empty");
    if (const auto exact = position_.find(item); exact != position_.end()) {
      return add_range(exact->second, exact->second);
    }
    if (const std::size_t dots = item.find(".."); dots != std::string_view::npos) {
      return add_named_range(item, trim(item.substr(0, dots)), trim(item.substr(dots + 2)));
    }
    if (is_glob(item)) return add_matches(item);
    const std::size_t dash = item.find('-');
    const std::optional<Index> first = parse_position(trim(item.substr(0, dash)));
    const std::optional<Index> last =
        dash == std::string_view::npos ? first : parse_position(trim(item.substr(dash + 1)));
    if (!first || !last) refuse_unknown(item);
    if (*first < 1 || *last > length(table_.columns)) {
      refuse(fmt::format("position {} is outside of 1-{}", item, table_.columns.size()));
    }
    if (*first > *last) refuse(fmt::format("range {} runs backwards", item));
    add_range(*first - 1, *last - 1);
  }

  std::vector<std::string> columns;

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw ParameterError(fmt::format("--view {}: {}", specification_, reason));
  }

  [[noreturn]] void refuse_unknown(std::string_view name) const {
    refuse(fmt::format("{} has no column {}{}", table_.source, in_quotes(name),
                       did_you_mean(name, table_.columns)));
  }

  Index find(std::string_view name) const {
    const auto found = position_.find(name);
    if (found == position_.end()) refuse_unknown(name);
    return found->second;
  }

  void add_named_range(std::string_view item, std::string_view first, std::string_view last) {
    const Index from = find(first);
    const Index to = find(last);
    if (from > to) refuse(fmt::format("range {} runs backwards", item));
    add_range(from, to);
  }

  void add_matches(std::string_view pattern) {
    bool any = false;
    for (Index j = 0; j < length(table_.columns); ++j) {
      if (!glob_match(pattern, table_.columns[static_cast<std::size_t>(j)])) continue;
      add_range(j, j);
      any = true;
    }
    if (!any) refuse(fmt::format("no column of {} matches {}", table_.source, in_quotes(pattern)));
  }

  void add_range(Index from, Index to) {
    for (auto j = static_cast<std::size_t>(from); j <= static_cast<std::size_t>(to); ++j) {
      if (!taken_[j]) columns.push_back(table_.columns[j]);
      taken_[j] = true;
    }
  }

  const Table& table_;
  std::string specification_;
  std::unordered_map<std::string_view, Index> position_;
  std::vector<bool> taken_;
};

/// Names must not collide with the signs and words of the kernel language.
void require_view_name(const std::string& name, const std::string& what,
                       const std::string& remedy) {
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' ||
           std::string_view("|,;:(){}*?=\"'").find(c) != std::string_view::npos;
  };
  const bool bad = name.empty() || std::any_of(name.begin(), name.end(), is_bad);
  if (bad) {
    throw ParameterError(
        fmt::format("{}: a view's name cannot be {}; use letters, digits, '_', '-' "
                    "and '.'{}",
                    what, in_quotes(name), remedy));
  }
  if (name == "all" || name == "each") {
    throw ParameterError(fmt::format(
        "{}: '{}' is a word of the kernel language; choose another name{}", what, name, remedy));
  }
}

View parse_view(const std::string& specification, const Table& table) {
  const std::size_t equals = specification.find('=');
  if (equals == std::string::npos) {
    throw ParameterError(fmt::format(
        "--view {}: write NAME=COLUMNS, for example color=red,green,blue", specification));
  }
  View view;
  view.name = std::string(trim(std::string_view(specification).substr(0, equals)));
  require_view_name(view.name, "--view " + specification, "");
  Selection selection(table, specification);
  for (const std::string_view item :
       split(std::string_view(specification).substr(equals + 1), ',')) {
    selection.add(item);
  }
  view.columns = std::move(selection.columns);
  return view;
}

/// One view for each file with columns; "data" for a single file.
std::vector<View> default_views(const Table& table) {
  if (table.columns.empty()) return {};
  if (table.parts.size() < 2) return {{"data", table.columns}};
  std::vector<View> views;
  for (const FilePart& part : table.parts) {
    if (part.columns == 0) continue;
    require_view_name(part.name, "file " + part.name, ", with NAME=FILE");
    const auto first = table.columns.begin() + part.first;
    views.push_back({part.name, std::vector<std::string>(first, first + part.columns)});
  }
  return views;
}

}  // namespace

std::vector<View> resolve_views(const std::vector<std::string>& specifications,
                                const Table& table) {
  std::vector<View> views;
  if (specifications.empty()) {
    views = default_views(table);
  } else {
    for (const std::string& text : specifications) views.push_back(parse_view(text, table));
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (views[i].name != views[j].name) continue;
      throw ParameterError(
          fmt::format("two views have the name {}; names must differ", in_quotes(views[i].name)));
    }
  }
  return views;
}

}  // namespace kernmix
