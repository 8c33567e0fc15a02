#include "data/join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/number.hpp"
#include "data/words/look_alike.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using RowOfId = std::unordered_map<std::string_view, Index>;

std::size_t at(Index i) { return to_size(i); }

RowOfId rows_by_id(const InputFile& file, const FileTable& part) {
  RowOfId rows;
  for (Index i = 0; i < length(part.table.ids); ++i) {
    const std::string& id = part.table.ids[at(i)];
    const auto [known, is_new] = rows.emplace(id, i);
    if (is_new) continue;
    throw DataError(
        fmt::format("{}: sample id {} occurs on line {} and on line {}; ids must differ", file.path,
                    in_quotes(id), part.lines[at(known->second)], part.lines[at(i)]));
  }
  return rows;
}

/// Each from the first file that has the sample and labels; those of other files must agree.
std::vector<std::string> join_labels(const std::vector<InputFile>& files,
                                     const std::vector<FileTable>& tables, const RowMatch& match) {
  std::vector<std::string> labels;
  std::vector<std::size_t> from(match.rows[0].size(), files.size());
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::vector<std::string>& own = tables[f].table.labels;
    if (own.empty()) continue;
    labels.resize(from.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Index row = match.rows[f][i];
      if (row == no_row) continue;
      if (from[i] == files.size()) {
        from[i] = f;
        labels[i] = own[at(row)];
      }
      if (same_label(labels[i], own[at(row)])) continue;
      throw DataError(fmt::format(
          "{}:{}: {} {} differs from {} of the same sample on line {} of {}; correct one of "
          "them",
          files[f].path, tables[f].lines[at(row)], files[f].label_called, in_quotes(own[at(row)]),
          in_quotes(labels[i]), tables[from[i]].lines[at(match.rows[from[i]][i])],
          files[from[i]].path));
    }
  }
  return labels;
}

/// Column names that occur in several headers, whether they are read or not, so that prediction,
/// which reads fewer columns, gives the same prefixes.
std::unordered_set<std::string> shared_names(const std::vector<InputFile>& files) {
  std::unordered_set<std::string> seen;
  std::unordered_set<std::string> shared;
  for (const InputFile& file : files) {
    if (file.annotation) continue;
    for (const std::string& name : file.header) {
      if (!seen.insert(name).second) shared.insert(name);
    }
  }
  return shared;
}

/// \param shared shared_names(); with several files, numbers are not names. A model knows columns
/// by the names that they had among the files of training.
std::string joined_name(const InputFile& file, const std::string& name,
                        const std::unordered_set<std::string>& shared, bool several) {
  const bool prefixed =
      shared.count(name) > 0 || (several && file.numbered) || file.with_prefix.contains(name);
  return prefixed ? file.name + "." + name : name;
}

/// Whether columns of several files stand side by side.
bool several(const std::vector<InputFile>& files) {
  return std::ranges::count(files, false, &InputFile::annotation) > 1;
}

[[noreturn]] void refuse_repeated(const std::vector<InputFile>& files, const InputFile& file,
                                  const std::string& column) {
  if (std::ranges::count(files, file.path, &InputFile::path) > 1) {
    throw DataError(fmt::format("{}: the file is named twice; name it once", file.path));
  }
  throw DataError(
      fmt::format("{}: column {} occurs in another file too; give the files different "
                  "names with NAME=FILE",
                  file.path, in_quotes(column)));
}

void name_columns(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                  Table& joined) {
  const std::unordered_set<std::string> shared = shared_names(files);
  std::unordered_set<std::string> seen;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const InputFile& file = files[f];
    const std::vector<std::string>& own = tables[f].table.columns;
    joined.parts.push_back(
        {file.name, length(joined.columns), length(own), file.format == FileFormat::libsvm});
    for (const Categories& words : tables[f].table.categories) {
      const std::string name = joined_name(file, words.column, shared, several(files));
      joined.categories.push_back({name, words.values, words.as_indicators});
    }
    for (const std::string& name : own) {
      joined.columns.push_back(joined_name(file, name, shared, several(files)));
      if (seen.insert(joined.columns.back()).second) continue;
      refuse_repeated(files, file, joined.columns.back());
    }
  }
}

/// The label columns of all files side by side.
MultiLabels join_multi_labels(const std::vector<InputFile>& files,
                              const std::vector<FileTable>& tables, const RowMatch& match) {
  const auto shared = shared_names(files);
  MultiLabels joined;
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (const std::string& name : tables[f].table.multi_labels.names) {
      joined.names.push_back(joined_name(files[f], name, shared, several(files)));
    }
  }
  joined.values.reserve(joined.names.size() * match.rows[0].size());
  for (std::size_t i = 0; i < match.rows[0].size(); ++i) {
    for (std::size_t f = 0; f < files.size(); ++f) {
      const MultiLabels& own = tables[f].table.multi_labels;
      if (own.names.empty()) continue;
      const auto begin = own.values.begin() + match.rows[f][i] * length(own.names);
      joined.values.insert(joined.values.end(), begin, begin + length(own.names));
    }
  }
  return joined;
}

/// The only table with columns whose rows are the samples in order, or null.
FileTable* as_it_is(std::vector<FileTable>& tables, const RowMatch& match) {
  FileTable* found = nullptr;
  for (std::size_t f = 0; f < tables.size(); ++f) {
    if (tables[f].table.columns.empty()) continue;
    const bool in_order = match.rows[f] == index_range(0, tables[f].table.samples());
    if (found != nullptr || !in_order) return nullptr;
    found = &tables[f];
  }
  return found;
}

/// Whether one table is sparse and the joined one would be.
bool is_joined_sparse(const std::vector<FileTable>& tables, const RowMatch& match) {
  for (const std::vector<Index>& rows : match.rows) {
    if (std::ranges::find(rows, no_row) != rows.end()) return false;  // with missing cells
  }
  Index entries = 0;
  Index columns = 0;
  bool any = false;
  for (const FileTable& file : tables) {
    const SparseMatrix* const sparse = file.table.sparse.get();
    any |= sparse != nullptr;
    entries += length(sparse != nullptr ? sparse->values : file.table.values.values);
    columns += length(file.table.columns);
    if (!file.table.categories.empty() ||
        std::ranges::any_of(file.table.values.values, [](double x) { return std::isnan(x); })) {
      return false;
    }
  }
  return any && is_better_sparse(entries, length(match.rows[0]), columns);
}

void copy_entries(const std::vector<FileTable>& tables, const RowMatch& match, Table& joined) {
  auto all = std::make_shared<SparseMatrix>();
  all->cols = length(joined.columns);
  std::vector<SparseMatrix> sources;
  for (const FileTable& file : tables) {
    sources.push_back(file.table.sparse ? *file.table.sparse : sparse(file.table.values));
  }
  for (std::size_t i = 0; i < match.rows[0].size(); ++i) {
    for (std::size_t f = 0; f < tables.size(); ++f) {
      const auto columns = sources[f].columns_of(match.rows[f][i]);
      const ConstSpan values = sources[f].values_of(match.rows[f][i]);
      for (std::size_t k = 0; k < values.size(); ++k) {
        all->add(joined.parts[f].first + columns[k], values[k]);
      }
    }
    all->end_row();
  }
  joined.sparse = std::move(all);
}

void copy_values(const std::vector<FileTable>& tables, const RowMatch& match, Table& joined) {
  joined.values = Matrix(length(match.rows[0]), length(joined.columns));
  for (std::size_t f = 0; f < tables.size(); ++f) {
    const Table& own = tables[f].table;
    const Matrix source = own.sparse ? dense(*own.sparse) : Matrix();
    for (Index i = 0; i < joined.samples(); ++i) {
      const Index row = match.rows[f][at(i)];
      const MutableSpan cells = slice(joined.values.row(i), joined.parts[f].first,
                                      joined.parts[f].first + joined.parts[f].columns);
      if (row == no_row) {
        std::ranges::fill(cells, missing_cell);
      } else {
        std::ranges::copy((own.sparse ? source : own.values).row(row), cells.begin());
      }
    }
  }
}

/// Each from the first file that has the sample.
std::vector<std::string> joined_ids(const std::vector<FileTable>& tables, const RowMatch& match) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < match.rows[0].size(); ++i) {
    std::size_t f = 0;
    while (match.rows[f][i] == no_row) ++f;
    ids.push_back(tables[f].table.ids[at(match.rows[f][i])]);
  }
  return ids;
}

}  // namespace

namespace {

/// An id of each file that the first one, or the second one, lacks.
std::string examples(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                     const std::vector<RowOfId>& by_id) {
  std::string text;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::vector<std::string>& ids = tables[f].table.ids;
    const RowOfId& others = by_id[f == 0 ? 1 : 0];
    const auto found =
        std::ranges::find_if(ids, [&](const std::string& id) { return !others.contains(id); });
    if (found == ids.end()) continue;
    text += fmt::format("; {} has {}, which {} lacks", files[f].path, in_quotes(*found),
                        files[f == 0 ? 1 : 0].path);
  }
  return text;
}

}  // namespace

NeededFiles needed_files(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                         const std::vector<std::string>& targets, const ReadOptions& options) {
  NeededFiles needed{std::vector<bool>(files.size(), !options.keep_absent), {}};
  if (!options.keep_absent) return needed;
  const auto headers = joined_headers(files);
  const std::unordered_set<std::string> shared = shared_names(files);
  const std::unordered_set<std::string> absent(options.may_be_absent.begin(),
                                               options.may_be_absent.end());
  for (std::size_t f = 0; f < files.size(); ++f) {
    const Table& table = tables[f].table;
    const bool has_target = std::ranges::any_of(targets, [&](const std::string& name) {
      return std::ranges::find(headers[f], name) != headers[f].end();
    });
    const bool has_other =
        !absent.empty() && std::ranges::any_of(table.columns, [&](const std::string& name) {
          return !absent.contains(joined_name(files[f], name, shared, several(files)));
        });
    needed.each[f] = has_target || has_other || !table.multi_labels.names.empty();
    needed.labels.push_back(!table.labels.empty());
  }
  return needed;
}

namespace {

/// What the files have of one id.
struct IdPlaces {
  std::vector<Index> rows;  ///< of each file, or no_row

  [[nodiscard]] bool in_any(const std::vector<bool>& files) const {
    for (std::size_t f = 0; f < files.size(); ++f) {
      if (files[f] && rows[f] != no_row) return true;
    }
    return std::ranges::none_of(files, [](bool asked) { return asked; });
  }
  [[nodiscard]] bool in_each(const std::vector<bool>& files) const {
    for (std::size_t f = 0; f < files.size(); ++f) {
      if (files[f] && rows[f] == no_row) return false;
    }
    return true;
  }
  /// The first file without the id, one that must have it before others.
  [[nodiscard]] std::size_t lacking(const NeededFiles& needed) const {
    const auto must = [&](std::size_t f) {
      return needed.each[f] || (!needed.labels.empty() && needed.labels[f]);
    };
    std::size_t first = rows.size();
    for (std::size_t f = 0; f < rows.size(); ++f) {
      if (rows[f] != no_row) continue;
      if (must(f)) return f;
      first = std::min(first, f);
    }
    return std::min(first, rows.size() - 1);
  }
};

IdPlaces places_of_id(const std::string& id, const std::vector<RowOfId>& by_id) {
  IdPlaces places;
  for (const RowOfId& rows : by_id) {
    const auto row = rows.find(id);
    places.rows.push_back(row == rows.end() ? no_row : row->second);
  }
  return places;
}

/// An id that some files lack, and the first file that has it.
struct LoneId {
  const std::string* id;
  std::size_t file;
};
constexpr std::size_t most_lone_ids = 100000;

/// A sentence on two ids of different files that look alike or are the same number, or "".
std::string similar_ids(const std::vector<InputFile>& files, const std::vector<LoneId>& lone) {
  std::unordered_map<std::string, const LoneId*> known;
  for (const LoneId& own : lone) {
    const auto number = parse_number(*own.id);
    const auto [other, is_new] =
        known.emplace(number ? fmt::format("{}", *number) : look_of(*own.id), &own);
    const LoneId& first = *other->second;
    if (is_new || first.file == own.file || *first.id == *own.id) continue;
    return fmt::format(
        "the sample ids {} of {} and {} of {} differ only in {} and are different samples; write "
        "them alike if they are one sample",
        in_quotes(*first.id), files[first.file].path, in_quotes(*own.id), files[own.file].path,
        number ? "the notation of the number" : difference_in_look(*first.id, *own.id));
  }
  return "";
}

/// A note of few ids in all files. \throws DataError for none
void require_common_ids(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                        const std::vector<RowOfId>& by_id, std::size_t in_all,
                        const std::string& alike, RowMatch& match) {
  // A file may hold many more samples than the others, but all of the smallest should be there.
  const std::size_t fewest = std::ranges::min(by_id, {}, &RowOfId::size).size();
  if (2 * in_all < fewest) {
    match.note = fmt::format("only {} sample id{} in all files, which have {} or more{}", in_all,
                             in_all == 1 ? " is" : "s are", fewest, examples(files, tables, by_id));
  }
  if (in_all == 0 && (match.rows[0].empty() || files.size() == 2)) {
    throw DataError(fmt::format("no sample id occurs in all files; {} begins with {}, {} with {}{}",
                                files[0].path, in_quotes(tables[0].table.ids[0]), files[1].path,
                                in_quotes(tables[1].table.ids[0]),
                                alike.empty() ? "" : "; " + alike));
  }
}

}  // namespace

RowMatch match_ids(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                   const NeededFiles& needed) {
  std::vector<RowOfId> by_id;
  std::vector<bool> with_columns;
  for (std::size_t f = 0; f < files.size(); ++f) {
    by_id.push_back(rows_by_id(files[f], tables[f]));
    with_columns.push_back(!tables[f].table.columns.empty());
  }
  RowMatch match;
  match.rows.resize(files.size());
  std::unordered_set<std::string_view> seen;
  std::vector<LoneId> lone;
  std::size_t in_all = 0;
  for (const FileTable& part : tables) {
    for (const std::string& id : part.table.ids) {
      if (!seen.insert(id).second) continue;
      const IdPlaces places = places_of_id(id, by_id);
      const bool everywhere = places.in_each(std::vector<bool>(files.size(), true));
      in_all += everywhere ? 1 : 0;
      if (!everywhere && lone.size() < most_lone_ids) {
        lone.push_back({&id, to_size(&part - tables.data())});
      }
      if (places.in_each(needed.each) && places.in_any(needed.labels) &&
          places.in_any(with_columns)) {
        for (std::size_t f = 0; f < files.size(); ++f) match.rows[f].push_back(places.rows[f]);
      } else {
        if (match.unmatched++ > 0) continue;
        match.unmatched_example =
            fmt::format("{}, which {} lacks", in_quotes(id), files[places.lacking(needed)].path);
      }
    }
  }
  const std::string alike = similar_ids(files, lone);
  require_common_ids(files, tables, by_id, in_all, alike, match);
  if (!alike.empty()) match.note += (match.note.empty() ? "" : "; ") + alike;
  return match;
}

RowMatch match_positions(const std::vector<InputFile>& files,
                         const std::vector<FileTable>& tables) {
  std::vector<Index> rows = index_range(0, length(tables[0].lines));
  for (std::size_t f = 1; f < files.size(); ++f) {
    if (tables[f].lines.size() == rows.size()) continue;
    throw DataError(
        fmt::format("{} has {} samples and {} has {}; name a column of sample ids with "
                    "--id to join them",
                    files[0].path, rows.size(), files[f].path, tables[f].lines.size()));
  }
  return {std::vector<std::vector<Index>>(files.size(), rows), 0};
}

RowMatch match_rows(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                    const ReadOptions& options, const NeededFiles& needed) {
  if (!options.id_column.empty()) return match_ids(files, tables, needed);
  const auto named = [&](const InputFile& file) {  // names that repeat are none
    return !tables[to_size(&file - files.data())].table.ids.empty();
  };
  const bool one_file = std::ranges::all_of(files, [&](const InputFile& file) {
    return !file.container.empty() && file.container == files.front().container;
  });
  const auto with_ids = std::ranges::find_if(files, named);
  if (one_file || with_ids == files.end()) return match_positions(files, tables);
  const auto without = std::ranges::find_if_not(files, named);
  if (without == files.end()) return match_ids(files, tables, needed);
  throw DataError(fmt::format(
      "{} names its samples and {} does not say which column names them: name it with --id, and "
      "the two are joined by name",
      with_ids->container, without->path));
}

std::vector<std::vector<std::string>> joined_headers(const std::vector<InputFile>& files) {
  const auto shared = shared_names(files);
  std::vector<std::vector<std::string>> names(files.size());
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (const std::string& name : files[f].header) {
      names[f].push_back(joined_name(files[f], name, shared, several(files)));
    }
  }
  return names;
}

Table join(const std::vector<InputFile>& files, std::vector<FileTable> tables,
           const RowMatch& match) {
  Table joined;
  joined.unmatched = match.unmatched;
  joined.unmatched_example = match.unmatched_example;
  joined.labels = join_labels(files, tables, match);
  joined.multi_labels = join_multi_labels(files, tables, match);
  name_columns(files, tables, joined);
  if (!tables[0].table.ids.empty()) joined.ids = joined_ids(tables, match);
  joined.source = comma_list(files, &InputFile::path);
  for (FileTable& file : tables)
    std::ranges::move(file.table.notes, std::back_inserter(joined.notes));
  if (!match.note.empty()) joined.notes.push_back(match.note);
  if (FileTable* const only = as_it_is(tables, match)) {
    joined.values = std::move(only->table.values);
    joined.sparse = std::move(only->table.sparse);
  } else if (is_joined_sparse(tables, match)) {
    copy_entries(tables, match, joined);
  } else {
    copy_values(tables, match, joined);
  }
  return joined;
}

}  // namespace kernmix
