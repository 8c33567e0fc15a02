#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/text.hpp"
#include "data/column_selection.hpp"
#include "data/view_names.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

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
  if (is_word_of_language(name)) {
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
  ColumnSelection selection(table.columns, table.source, "--view " + specification);
  for (const std::string_view item :
       split(std::string_view(specification).substr(equals + 1), ',')) {
    selection.add(item);
  }
  for (const Index j : selection.chosen()) {
    view.columns.push_back(table.columns[to_size(j)]);
  }
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

bool is_word_of_language(const std::string& name) { return name == "all" || name == "each"; }

void require_different_names(const std::vector<View>& views) {
  std::unordered_set<std::string_view> names;
  for (const View& view : views) {
    if (names.insert(view.name).second) continue;
    throw ParameterError(
        fmt::format("two views have the name {}; names must differ", in_quotes(view.name)));
  }
}

std::vector<View> resolve_views(const std::vector<std::string>& specifications,
                                const Table& table) {
  std::vector<View> views;
  if (specifications.empty()) {
    views = default_views(table);
  } else {
    for (const std::string& text : specifications) views.push_back(parse_view(text, table));
  }
  require_different_names(views);
  return views;
}

}  // namespace kernmix
