#include "data/forgotten_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Largest number of text columns that are kept of a file: ids are among the first ones.
constexpr Index most_watched = 100;

/// Whether the samples of all files have names, by which they are joined.
bool all_named(const std::vector<InputFile>& files) {
  return std::ranges::none_of(files, [](const InputFile& file) { return file.ids.empty(); });
}

/// Names that occur in several headers, in the order of the first.
std::vector<std::string> shared_columns(const std::vector<InputFile>& files) {
  std::unordered_map<std::string, Index> count;
  for (const InputFile& file : files) {
    if (file.numbered) continue;
    for (const std::string& name : file.header) ++count[name];
  }
  std::vector<std::string> shared;
  for (const InputFile& file : files) {
    for (const std::string& name : file.header) {
      if (!file.numbered && count[name] > 1) shared.push_back(name);
      count[name] = 0;
    }
  }
  return shared;
}

/// Column indices by name.
using Places = std::unordered_map<std::string_view, Index>;

std::vector<Places> places_of(const std::vector<FileTable>& tables) {
  std::vector<Places> places(tables.size());
  for (std::size_t f = 0; f < tables.size(); ++f) {
    const std::vector<std::string>& columns = tables[f].table.columns;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      places[f].emplace(columns[j], static_cast<Index>(j));
    }
  }
  return places;
}

/// A number for each value of a column, equal for equal words and numbers; empty for an unknown
/// column.
std::vector<std::size_t> keys_of(const InputFile& file, const FileTable& part, const Places& places,
                                 const std::string& name) {
  std::vector<std::size_t> keys;
  if (const auto watched = part.watched.find(name); watched != part.watched.end()) {
    for (const std::string& word : watched->second) {
      const auto number = parse_number(word);
      keys.push_back(number ? std::hash<double>()(*number) : std::hash<std::string>()(word));
    }
    return keys;
  }
  const auto found = places.find(name);
  const bool target = std::ranges::find(file.target_columns, name) != file.target_columns.end();
  if (file.numbered || target || found == places.end()) return keys;
  for (Index i = 0; i < part.table.samples(); ++i) {
    keys.push_back(std::hash<double>()(part.table.cell(i, found->second)));
  }
  return keys;
}

/// Whether all values are distinct in both, and at least half of them common.
bool name_samples(const std::vector<std::size_t>& left, const std::vector<std::size_t>& right) {
  const std::unordered_set<std::size_t> known(left.begin(), left.end());
  const std::unordered_set<std::size_t> other(right.begin(), right.end());
  if (left.size() < 3 || known.size() < left.size() || other.size() < right.size()) return false;
  const auto common =
      std::ranges::count_if(right, [&](std::size_t key) { return known.contains(key); });
  return 2 * common >= length(right);
}

[[noreturn]] void refuse(const InputFile& left, const InputFile& right, const std::string& name,
                         bool same_rows) {
  throw DataError(fmt::format(
      "{} and {}: column {} names the samples, {}: join the files by it with --id {}{}", left.path,
      right.path, in_quotes(name),
      same_rows ? "with different values that are the same in both files and would become a feature"
                : "whose rows do not correspond in the two files",
      name, same_rows ? ", or leave it out with --ignore" : ""));
}

}  // namespace

void watch_shared_columns(std::vector<InputFile>& files, const ReadOptions& options) {
  if (files.size() < 2 || !options.id_column.empty() || all_named(files)) return;
  const std::vector<std::string> all = shared_columns(files);
  const std::unordered_set<std::string> shared(all.begin(), all.end());
  for (InputFile& file : files) {
    const std::vector<Role> roles = roles_of(file, options);
    Index count = 0;
    for (std::size_t j = 0; j < roles.size() && count < most_watched; ++j) {
      if (roles[j] != Role::skipped || !shared.contains(file.header[j])) continue;
      file.watched.insert(file.header[j]);
      ++count;
    }
  }
}

namespace {

/// The columns of a file with distinct integers, which may be ids.
std::vector<std::string> numbering_columns(const InputFile& file, const Table& table) {
  std::vector<std::string> found;
  if (file.numbered || table.sparse) return found;  // two samples of a sparse column are both 0
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const std::string& name = table.columns[j];
    if (std::ranges::find(file.target_columns, name) != file.target_columns.end()) continue;
    std::unordered_set<double> different;
    for (Index i = 0; i < table.values.rows; ++i) {
      const double value = table.values(i, static_cast<Index>(j));
      if (std::floor(value) != value || !different.insert(value).second) break;
    }
    if (length(different) == table.values.rows && table.values.rows > 2) found.push_back(name);
  }
  return found;
}

/// Rejects two columns of different names with the same distinct integers in another order.
void refuse_same_numbers(const InputFile& left, const Table& a, const std::string& first,
                         const InputFile& right, const Table& b, const std::string& second) {
  if (first == second || a.values.rows != b.values.rows) return;
  const auto column = [](const Table& table, const std::string& name) {
    const Index j = std::ranges::find(table.columns, name) - table.columns.begin();
    return column_of(table.values, j);
  };
  Vector own = column(a, first);
  Vector other = column(b, second);
  if (own == other) return;
  std::ranges::sort(own);
  std::ranges::sort(other);
  if (own != other) return;
  throw DataError(
      fmt::format("{} and {}: columns {} and {} have the same whole numbers in another order, so "
                  "they seem to be sample ids of rows that do not correspond: give both columns "
                  "one name and join the files by it with --id, or leave them out with --ignore",
                  left.path, right.path, in_quotes(first), in_quotes(second)));
}

void refuse_ids_of_other_names(const std::vector<InputFile>& files,
                               const std::vector<FileTable>& tables) {
  std::vector<std::vector<std::string>> numbering;
  for (std::size_t f = 0; f < files.size(); ++f) {
    numbering.push_back(numbering_columns(files[f], tables[f].table));
    for (std::size_t e = 0; e < f; ++e) {
      if (numbering[e].size() != 1 || numbering[f].size() != 1) continue;  // ranks, say
      refuse_same_numbers(files[e], tables[e].table, numbering[e].front(), files[f],
                          tables[f].table, numbering[f].front());
    }
  }
}

}  // namespace

void check_forgotten_ids(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                         const ReadOptions& options) {
  if (files.size() < 2 || !options.id_column.empty() || all_named(files)) return;
  const std::vector<Places> places = places_of(tables);
  for (const std::string& name : shared_columns(files)) {
    std::vector<std::size_t> first;
    std::size_t owner = 0;
    for (std::size_t f = 0; f < files.size(); ++f) {
      std::vector<std::size_t> own = keys_of(files[f], tables[f], places[f], name);
      if (own.empty()) continue;
      if (first.empty()) {
        first = std::move(own);
        owner = f;
      } else if (name_samples(first, own)) {
        const bool ignored = files[f].watched.contains(name);
        if (own != first || !ignored) refuse(files[owner], files[f], name, own == first);
      }
    }
  }
  refuse_ids_of_other_names(files, tables);
}

}  // namespace kernmix
