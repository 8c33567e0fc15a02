// Matching of the names in sets with the columns of a table.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "data/sets/gmt.hpp"
#include "data/view_names.hpp"
#include "kernmix/error.hpp"
#include "kernmix/sets.hpp"

namespace kernmix {
namespace {

constexpr std::size_t kShownSets = 5;

/// "FILE:LINE" of a set.
std::string line_of_set(const ColumnSets& sets, std::size_t k) {
  return sets.lines.empty() ? sets.source : fmt::format("{}:{}", sets.source, sets.lines[k]);
}

/// The name of the view of a set.
std::string view_of_set(const ColumnSets& sets, std::size_t k) {
  return sets.part.empty() ? sets.sets[k].name : sets.part + "." + sets.sets[k].name;
}

/// The files whose columns the sets name. \throws ParameterError
std::vector<FilePart> parts_of(const ColumnSets& sets, const Table& table) {
  if (sets.part.empty()) {
    if (table.parts.empty()) return {{"", 0, length(table.columns)}};
    return table.parts;
  }
  const auto found = std::ranges::find(table.parts, sets.part, &FilePart::name);
  if (found != table.parts.end()) return {*found};
  std::vector<std::string> names;
  for (const FilePart& part : table.parts) names.push_back(part.name);
  throw ParameterError(fmt::format("{}={}: no data file has the name {}{}; the names are {}",
                                   sets.part, sets.source, in_quotes(sets.part),
                                   did_you_mean(sets.part, names), comma_list(names)));
}

/// The columns of some files by their names, with and without the prefix of the file.
class ColumnNames {
 public:
  ColumnNames(const Table& table, const std::vector<FilePart>& parts) : table_(table) {
    for (const FilePart& part : parts) {
      const std::string prefix = part.name + ".";
      for (Index j = part.first; j < part.first + part.columns; ++j) {
        const std::string_view name = table.columns[to_size(j)];
        full_.emplace(name, j);
        if (table.parts.size() > 1 && name.starts_with(prefix)) {
          within_[name.substr(prefix.size())].push_back(j);
        }
      }
    }
  }

  /// The column with this name, or -1. \throws DataError if several files have one
  [[nodiscard]] Index find(const std::string& name, const ColumnSets& sets, std::size_t k) const {
    if (const auto found = full_.find(name); found != full_.end()) return found->second;
    const auto found = within_.find(name);
    if (found == within_.end()) return -1;
    if (found->second.size() == 1) return found->second.front();
    const auto text = [&](Index j) { return in_quotes(table_.columns[to_size(j)]); };
    throw DataError(fmt::format(
        "{}: {} of the set {} is a column of several files, {}; name the file of the sets, as in "
        "--sets NAME=FILE.gmt",
        line_of_set(sets, k), in_quotes(name), in_quotes(sets.sets[k].name),
        comma_list(found->second, text)));
  }

  /// Whether it is the name of a column, with or without its file.
  [[nodiscard]] bool contains(std::string_view name) const {
    return full_.contains(name) || within_.contains(name);
  }

  /// The names of the files that have the columns of a view.
  [[nodiscard]] std::set<std::string_view> files_of(const View& view) const {
    std::set<std::string_view> files;
    for (const std::string& column : view.columns) {
      const Index j = full_.at(column);
      for (const FilePart& part : table_.parts) {
        if (j >= part.first && j < part.first + part.columns) files.insert(part.name);
      }
    }
    return files;
  }

  /// Column names by their small letters.
  [[nodiscard]] std::unordered_map<std::string, std::string> in_small_letters() const {
    std::unordered_map<std::string, std::string> small;
    for (const auto& [name, j] : full_) small.emplace(lowercase(name), name);
    for (const auto& [name, all] : within_) small.emplace(lowercase(name), name);
    return small;
  }

  [[nodiscard]] const std::unordered_map<std::string_view, Index>& full() const { return full_; }

 private:
  const Table& table_;
  std::unordered_map<std::string_view, Index> full_;
  std::unordered_map<std::string_view, std::vector<Index>> within_;
};

/// Finds the columns of each set, and keeps what does not match.
class Matching {
 public:
  Matching(const ColumnSets& sets, const Table& table)
      : sets_(sets), table_(table), names_(table, parts_of(sets, table)) {
    if (sets.sets.empty()) throw DataError(sets.source + ": has no set");
    for (std::size_t k = 0; k < sets.sets.size(); ++k) add(k);
    if (found_.views.empty()) {
      throw DataError(fmt::format("{}: no name in {} set{} is a column of {}: {}",
                                  line_of_set(sets, 0), sets.sets.size(),
                                  sets.sets.size() == 1 ? "" : "s", table.source, example()));
    }
    warn_of_names();
    warn_of_sets();
    warn_of_descriptions();
    warn_of_spans();
  }

  [[nodiscard]] SetViews take() { return std::move(found_); }

 private:
  void add(std::size_t k) {
    const View& set = sets_.sets[k];
    const std::string name = view_of_set(sets_, k);
    if (name.empty()) throw DataError(line_of_set(sets_, k) + ": a set has no name");
    if (is_word_of_language(name)) {
      throw DataError(
          fmt::format("{}: the name {} is a word of the kernel language; rename the set",
                      line_of_set(sets_, k), in_quotes(name)));
    }
    if (set.columns.empty()) {
      throw DataError(
          fmt::format("{}: the set {} has no members", line_of_set(sets_, k), in_quotes(set.name)));
    }
    View view{name, {}};
    SetSize size{name};
    std::unordered_set<std::string_view> members;
    std::unordered_set<Index> columns;  // a name and the name with its file are one column
    for (const std::string& member : set.columns) {
      if (!members.insert(member).second) continue;
      ++size.named;
      const Index j = names_.find(member, sets_, k);
      if (j < 0) {
        if (unknown_.emplace(member, k).second) order_.push_back(member);
        continue;
      }
      known_.insert(member);
      if (columns.insert(j).second) view.columns.push_back(table_.columns[to_size(j)]);
    }
    size.matched = length(view.columns);
    found_.sizes.push_back(std::move(size));
    if (!view.columns.empty()) found_.views.push_back(std::move(view));
  }

  /// A name that is no column, preferably one that differs from a column only in case, and what the
  /// table has. Counts the names that differ in case.
  [[nodiscard]] std::string example() {
    const auto small = names_.in_small_letters();
    std::string_view shown = order_.front();
    std::string_view meant;
    for (const std::string_view name : order_) {
      const auto column = small.find(lowercase(name));
      if (column == small.end()) continue;
      if (differ_in_case_++ > 0) continue;
      shown = name;
      meant = column->second;
    }
    const std::string& set = sets_.sets[unknown_.at(shown)].name;
    std::string text =
        fmt::format("{} of the set {} is no column", in_quotes(shown), in_quotes(set));
    if (!meant.empty()) return text + fmt::format(", did you mean {}?", in_quotes(meant));
    const std::string* const other = unnamed_column();
    return other == nullptr ? text : text + "; the table has " + in_quotes(*other);
  }

  /// The first column in no set, or null.
  [[nodiscard]] const std::string* unnamed_column() const {
    std::unordered_set<std::string_view> used;
    for (const View& view : found_.views) used.insert(view.columns.begin(), view.columns.end());
    for (const std::string& column : table_.columns) {
      if (names_.full().contains(column) && !used.contains(column)) return &column;
    }
    return nullptr;
  }

  void warn_of_names() {
    if (order_.empty()) return;
    const std::string shown = example();
    const std::size_t all = known_.size() + order_.size();
    const bool few = 2 * known_.size() < all;
    if (!few && differ_in_case_ == 0) return;
    const auto verb = [](std::size_t count, const char* one, const char* many) {
      return count == 1 ? one : many;
    };
    const std::string in_case = fmt::format("{} from a column only in upper and lower case",
                                            verb(differ_in_case_, "differs", "differ"));
    const std::size_t count = few ? known_.size() : differ_in_case_;
    const std::string what =
        !few
            ? in_case
            : fmt::format(
                  "{} of {}{}", verb(count, "is a column", "are columns"), table_.source,
                  differ_in_case_ == 0 ? "" : fmt::format(", and {} {}", differ_in_case_, in_case));
    found_.warnings.push_back(fmt::format("{}: {} of the {} names in its sets {}: {}", sets_.source,
                                          count, all, what, shown));
  }

  /// A line without a description has a member in its place.
  void warn_of_descriptions() {
    if (sets_.lines.empty()) return;  // of no file
    const std::vector<std::string> descriptions = descriptions_in(sets_.source);
    const auto is_column = [&](const std::string& text) { return names_.contains(text); };
    const auto count = to_size(std::ranges::count_if(descriptions, is_column));
    if (2 * count <= descriptions.size()) return;
    found_.warnings.push_back(fmt::format(
        "{}: the descriptions of {} of {} sets are columns, such as {}: a line is NAME, "
        "DESCRIPTION "
        "and the members, so that the second field is no member; add a field with descriptions",
        sets_.source, count, sets_.sets.size(),
        in_quotes(*std::ranges::find_if(descriptions, is_column))));
  }

  /// Of several files, sets without a file may join columns of all.
  void warn_of_spans() {
    if (!sets_.part.empty() || table_.parts.size() < 2) return;
    std::vector<std::string> spanning;
    std::set<std::string_view> files;
    for (const View& view : found_.views) {
      const std::set<std::string_view> own = names_.files_of(view);
      if (own.size() < 2) continue;
      spanning.push_back(in_quotes(view.name));
      files.insert(own.begin(), own.end());
    }
    if (spanning.empty()) return;
    const std::size_t count = spanning.size();
    spanning.resize(std::min(count, kShownSets));
    found_.warnings.push_back(
        fmt::format("{}: {} of {} sets {} columns of several files ({}): {}{}; with --sets NAME={} "
                    "the sets are "
                    "those of one file and a view has no other columns",
                    sets_.source, count, sets_.sets.size(), count == 1 ? "has" : "have",
                    comma_list(files, [](std::string_view name) { return std::string(name); }),
                    comma_list(spanning),
                    count > kShownSets ? fmt::format(" and {} more", count - kShownSets) : "",
                    sets_.source.empty() ? "FILE.gmt" : sets_.source));
  }

  void warn_of_sets() {
    std::vector<std::string> empty;
    for (const SetSize& size : found_.sizes) {
      if (size.matched == 0) empty.push_back(in_quotes(size.name));
    }
    if (empty.empty()) return;
    const std::size_t count = empty.size();
    empty.resize(std::min(count, kShownSets));
    found_.warnings.push_back(
        fmt::format("{}: {} of {} sets {} left out because no name in {} is a column: {}{}",
                    sets_.source, count, sets_.sets.size(), count == 1 ? "is" : "are",
                    count == 1 ? "it" : "them", comma_list(empty),
                    count > kShownSets ? fmt::format(" and {} more", count - kShownSets) : ""));
  }

  const ColumnSets& sets_;
  const Table& table_;
  ColumnNames names_;
  SetViews found_;
  std::unordered_set<std::string_view> known_;
  std::unordered_map<std::string_view, std::size_t> unknown_;  ///< with the first set of each
  std::vector<std::string_view> order_;                        ///< of the unknown names
  std::size_t differ_in_case_ = 0;
};

/// The default views of files whose columns no sets name.
std::vector<View> views_of_other_files(const std::vector<ColumnSets>& sets, const Table& table) {
  const auto names_all = [](const ColumnSets& own) { return own.part.empty(); };
  if (table.parts.size() < 2 || std::ranges::any_of(sets, names_all)) return {};
  std::vector<View> views = resolve_views({}, table);
  std::erase_if(views, [&](const View& view) {
    return std::ranges::find(sets, view.name, &ColumnSets::part) != sets.end();
  });
  return views;
}

Index columns_in_no_view(const std::vector<View>& views, const Table& table) {
  std::unordered_set<std::string_view> used;
  for (const View& view : views) used.insert(view.columns.begin(), view.columns.end());
  return std::ranges::count_if(table.columns,
                               [&](const std::string& name) { return !used.contains(name); });
}

/// Of several files. \throws DataError naming two places of a name
void require_different_sets(const std::vector<ColumnSets>& all) {
  std::map<std::string, std::string> places;
  for (const ColumnSets& sets : all) {
    for (std::size_t k = 0; k < sets.sets.size(); ++k) {
      const std::string place = line_of_set(sets, k);
      const auto [first, is_new] = places.emplace(view_of_set(sets, k), place);
      if (is_new) continue;
      throw DataError(fmt::format("{}: the set {} is in {}, too; names of sets must differ", place,
                                  in_quotes(first->first), first->second));
    }
  }
}

}  // namespace

SetViews views_of_sets(const ColumnSets& sets, const Table& table) {
  SetViews found = Matching(sets, table).take();
  found.unused = columns_in_no_view(found.views, table);
  return found;
}

SetViews resolve_views(const std::vector<std::string>& specifications,
                       const std::vector<ColumnSets>& sets, const Table& table) {
  require_different_sets(sets);
  SetViews all;
  all.views = specifications.empty() && !sets.empty() ? views_of_other_files(sets, table)
                                                      : resolve_views(specifications, table);
  for (const ColumnSets& one : sets) {
    SetViews own = Matching(one, table).take();
    std::ranges::move(own.views, std::back_inserter(all.views));
    std::ranges::move(own.sizes, std::back_inserter(all.sizes));
    std::ranges::move(own.warnings, std::back_inserter(all.warnings));
  }
  require_different_names(all.views);
  all.unused = columns_in_no_view(all.views, table);
  return all;
}

}  // namespace kernmix
