#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/shape.hpp"
#include "base/text.hpp"
#include "data/arff/arff.hpp"
#include "data/arrays/array_file.hpp"
#include "data/arrays/array_place.hpp"
#include "data/arrays/array_tables.hpp"
#include "data/column_places.hpp"
#include "data/column_selection.hpp"
#include "data/csv.hpp"
#include "data/csv/label_spelling.hpp"
#include "data/csv/names_memory.hpp"
#include "data/csv/transposed.hpp"
#include "data/forgotten_ids.hpp"
#include "data/join.hpp"
#include "data/label_columns.hpp"
#include "data/label_lists.hpp"
#include "data/libsvm.hpp"
#include "data/npy/npy.hpp"
#include "data/number.hpp"
#include "data/prediction/model_columns.hpp"
#include "data/words/word_columns.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

bool has_column(const InputFile& file, const std::string& name) {
  return std::find(file.header.begin(), file.header.end(), name) != file.header.end();
}

std::vector<std::string> all_headers(const std::vector<InputFile>& files) {
  std::vector<std::string> names;
  for (const InputFile& file : files) {
    names.insert(names.end(), file.header.begin(), file.header.end());
  }
  return names;
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The columns of a file of arrays that may be labels, for a name that is none of them.
std::string label_columns_text(const std::vector<InputFile>& files) {
  constexpr std::size_t shown = 12;
  std::vector<std::string> names;
  for (const InputFile& file : files) {
    if (file.annotation) names.insert(names.end(), file.header.begin(), file.header.end());
  }
  return names.empty() ? "" : "; it may be one of " + listed(names, shown);
}

/// LIBSVM files have labels, which have no name.
void check_label_column(const std::vector<InputFile>& files, const ReadOptions& options,
                        const std::vector<std::string>& names) {
  const std::string& label = options.label_column;
  if (label.empty() || options.label_optional || is_one_of(label, names)) return;
  const auto is_libsvm = [](const InputFile& f) { return f.format == FileFormat::libsvm; };
  const bool named = options.label_called != ReadOptions().label_called;
  if (!named && std::any_of(files.begin(), files.end(), is_libsvm)) return;
  std::string hint = did_you_mean(label, names);
  for (const InputFile& file : files) {
    if (hint.empty()) hint = place_of_name(file, label);
  }
  if (hint.empty()) hint = label_columns_text(files);
  throw DataError(fmt::format("{}: there is no {} column {}{}", comma_list(files, &InputFile::path),
                              options.label_called, in_quotes(label), hint));
}

/// Several files are joined on one name: another name of this file would be missing in the others.
std::string one_id_name(const InputFile& file, const std::string& id) {
  const std::string similar = closest(id, file.header);
  if (similar.empty()) return "";
  return fmt::format("; the id column needs one name in all files: rename its column {} to {}",
                     in_quotes(similar), in_quotes(id));
}

void check_id_column(const std::vector<InputFile>& files, const std::string& id) {
  for (const InputFile& file : files) {
    if (id.empty() || !file.ids.empty() || has_column(file, id)) continue;
    const auto knows_id = [&](const InputFile& other) { return has_column(other, id); };
    std::string hint = std::ranges::any_of(files, knows_id) ? one_id_name(file, id)
                                                            : did_you_mean(id, file.header);
    if (hint.empty()) hint = place_of_name(file, id);
    throw DataError(fmt::format("{}: there is no id column {}{}", file.path, in_quotes(id), hint));
  }
}

void check_ignored_columns(const std::vector<InputFile>& files, const ReadOptions& options,
                           const std::vector<std::string>& names) {
  if (!options.only.empty()) return;
  for (const std::string& name : options.ignore) {
    if (is_glob(name) || is_one_of(name, names)) continue;
    throw ParameterError(fmt::format("--ignore {}: {} has no such column{}", name,
                                     comma_list(files, &InputFile::path),
                                     did_you_mean(name, names)));
  }
}

bool is_csv(const InputFile& file) {
  return file.format == FileFormat::csv || file.format == FileFormat::tsv;
}

/// A column has one meaning, and a model one kind of target.
void check_meanings(const ReadOptions& options) {
  const std::string& label = options.label_column;
  if (!label.empty() && !options.label_columns.empty()) {
    throw ParameterError("--label names one column of classes and --labels many: give one of them");
  }
  const bool labels = !label.empty() || !options.label_columns.empty();
  if (labels && !options.target_columns.empty()) {
    throw ParameterError(
        "--targets names columns of numbers, --label and --labels name classes and labels: give "
        "one of them");
  }
  if (!label.empty() && label == options.id_column) {
    throw ParameterError(fmt::format("column {} cannot be both {} and sample id", in_quotes(label),
                                     options.label_called));
  }
}

/// Decimal marks and separators are those of CSV and TSV text.
void check_notation(const std::vector<InputFile>& files, const ReadOptions& options) {
  if ((options.decimal == '\0' && options.thousands == '\0') ||
      std::ranges::any_of(files, is_csv)) {
    return;
  }
  throw ParameterError(fmt::format("{} is for CSV and TSV files, and {} {}",
                                   options.decimal != '\0' ? "--decimal" : "--thousands",
                                   comma_list(files, &InputFile::path),
                                   files.size() == 1 ? "is no such file" : "are no such files"));
}

/// Checks every column that the options name against the headers, before any value is read.
void check_columns(const std::vector<InputFile>& files, const ReadOptions& options) {
  const std::vector<std::string> names = all_headers(files);
  check_label_column(files, options, names);
  check_id_column(files, options.id_column);
  check_ignored_columns(files, options, names);
  check_meanings(options);
  check_notation(files, options);
}

FileTable read_part(InputFile& file, const ReadOptions& options) {
  if (file.stored) return read_stored(file, options);
  FileTable part = file.format == FileFormat::npy      ? read_npy_table(file, options)
                   : file.format == FileFormat::libsvm ? read_libsvm(file, options)
                   : file.format == FileFormat::arff   ? read_arff(file, options)
                                                       : read_csv(file, options);
  file.text = std::string();  // the text is no longer needed: give its memory back
  part.table.notes.insert(part.table.notes.begin(), file.notes.begin(), file.notes.end());
  return part;
}

std::size_t bytes_of(const FileTable& part) {
  const Table& table = part.table;
  const std::size_t texts = table.labels.size() + table.ids.size();
  return table.values.values.capacity() * sizeof(double) + texts * sizeof(std::string) +
         part.lines.size() * sizeof(Index) + table.multi_labels.values.size() +
         (table.sparse ? table.sparse->bytes() : 0);
}

/// The tables of all files, which share the memory with the texts that are not read yet.
std::vector<FileTable> read_parts(std::vector<InputFile>& inputs, const ReadOptions& options) {
  std::size_t held = 0;
  for (const InputFile& input : inputs) held += input.text.size();
  std::vector<FileTable> parts;
  for (InputFile& input : inputs) {
    held -= input.text.size();
    parts.push_back(read_beside(held, options.context, [&](const Context& left) {
      ReadOptions own = options;
      own.context = left;
      return read_part(input, own);
    }));
    held += bytes_of(parts.back());
  }
  return parts;
}

/// Where rows are put together, the tables of the files are there beside the joined one.
void require_memory_of_join(const std::vector<InputFile>& inputs,
                            const std::vector<FileTable>& parts, const ReadOptions& options) {
  if (parts.size() < 2 || options.context.memory_bytes == 0) return;
  std::size_t bytes = 0;
  for (const FileTable& part : parts) bytes += 2 * bytes_of(part);
  require_memory_of_bytes(comma_list(inputs, &InputFile::path), bytes, options.context);
}

/// Tells each file which of its columns hold words that the model knows.
void take_categories(std::vector<InputFile>& files, const ReadOptions& options) {
  if (!options.categories) return;
  std::unordered_map<std::string_view, const Categories*> known;
  for (const Categories& own : *options.categories) known.emplace(own.column, &own);
  const std::vector<std::vector<std::string>> names = joined_headers(files);
  for (std::size_t f = 0; f < files.size(); ++f) {
    files[f].of_model = true;
    for (std::size_t j = 0; j < names[f].size(); ++j) {
      const auto own = known.find(names[f][j]);
      if (own == known.end()) continue;
      const std::vector<std::string>& words = own->second->values;
      if (own->second->as_indicators) {
        files[f].levels[files[f].header[j]].insert(words.begin(), words.end());
      } else {
        files[f].categories[files[f].header[j]] = words;
      }
    }
  }
}

/// Forgets the labels of LIBSVM files where columns are the labels or targets.
void drop_lists(std::vector<FileTable>& parts) {
  for (FileTable& part : parts) part.table.labels.clear();
}

/// Turns lists of labels into the label matrix.
void take_lists(Table& table, const ReadOptions& options) {
  table.multi_labels = labels_of_lists(table.labels, options.label_columns, table.source,
                                       options.context.memory_bytes);
  table.labels.clear();
}

/// Turns columns into targets. \param names  where the headers told them, else none
void take_targets(Table& table, const ReadOptions& options, const std::vector<std::string>& names) {
  ColumnSelection selection(table.columns, table.source, "--targets");
  for (const std::string& item : names.empty() ? options.target_columns : names) {
    selection.add(item);
  }
  for (const Index j : selection.chosen()) {
    table.targets.names.push_back(table.columns[to_size(j)]);
  }
  table.targets.values = take_columns(table, selection.chosen());
}

/// True when `name` is a numbered column that LIBSVM data merely did not reach.
bool is_absent_zero(const Table& table, std::string_view name) {
  for (const FilePart& part : table.parts) {
    std::string_view number = name;
    const std::string prefix = part.name + ".";
    if (name.starts_with(prefix)) {
      number.remove_prefix(prefix.size());
    } else if (table.parts.size() > 1) {
      continue;
    }
    const bool digits = number.find_first_not_of("0123456789") == std::string_view::npos;
    if (part.sparse && digits && !number.empty() && number.front() != '0') return true;
  }
  return false;
}

/// Notes labels and ids that are spelled in two ways, for training.
void note_spellings(Table& table, const ReadOptions& options) {
  const bool labels = options.label_called == ReadOptions().label_called;
  if (!labels || !options.only.empty()) return;
  const auto note = [&](const std::string& sentence) {
    if (!sentence.empty()) table.notes.push_back(fmt::format("{}: {}", table.source, sentence));
  };
  if (!options.label_column.empty()) note(label_spellings(table.labels, options.label_column));
  if (!options.id_column.empty()) note(spellings_of(table.ids, spelled_ids, options.id_column));
}

/// What is said of names of rows is no news where they are the ids.
void drop_notes_of_ids(InputFile& input, const ReadOptions& options) {
  if (!input.row_names || options.id_column != row_names_column) return;
  std::erase_if(input.notes, [](const std::string& note) {
    return note.find(" and is not a feature; --id ") != std::string::npos;
  });
}

}  // namespace

void read_names(InputFile& file, bool has_header) {
  if (file.stored) return;
  file.numbered = file.format == FileFormat::libsvm || file.format == FileFormat::npy;
  if (is_csv(file)) read_csv_header(file, has_header);
  if (file.format == FileFormat::arff) read_arff_names(file);
}

ColumnRoles prepare_inputs(std::vector<InputFile>& inputs, const ReadOptions& options) {
  if (!options.header && std::none_of(inputs.begin(), inputs.end(), is_csv)) {
    throw ParameterError("--no-header is for CSV and TSV files; " +
                         comma_list(inputs, &InputFile::path) +
                         (inputs.size() == 1 ? " is none" : " are none"));
  }
  for (InputFile& input : inputs) {
    input.label_called = options.label_called;
    drop_notes_of_ids(input, options);
  }
  refuse_transposed_tables(inputs, options.context);
  check_columns(inputs, options);
  name_by_model(inputs, options);
  ColumnRoles chosen;
  chosen.labels = choose_label_columns(inputs, options);
  chosen.targets = choose_target_columns(inputs, options);
  require_model_columns(inputs, options, chosen);
  take_categories(inputs, options);
  choose_word_columns(inputs, options);
  watch_shared_columns(inputs, options);
  return chosen;
}

std::vector<InputFile> open_inputs(const std::vector<std::string>& files,
                                   const ReadOptions& options) {
  if (files.empty()) throw ParameterError("no data file is given");
  if (std::ranges::count(files, "-") > 1) {
    throw ParameterError("-: standard input is one file; give the others by name");
  }
  std::vector<InputFile> inputs;
  std::size_t held = 0;
  for (const std::string& file : files) {
    if (const FilePlace place = file_place(file); holds_arrays(place.file)) {
      open_stored(place, options, inputs);
      continue;
    }
    inputs.push_back(read_beside(held, options.context, [&](const Context& left) {
      return open_input(file, options.format, left);
    }));
    read_beside(held, options.context,
                [&](const Context& left) { require_memory_of_names(inputs.back(), left); });
    held += inputs.back().text.size() + bytes_of_names(inputs.back());
    read_names(inputs.back(), options.header);
  }
  return inputs;
}

namespace {

/// The columns that are not zero in all samples.
std::vector<std::string> columns_with_entries(const Table& table) {
  std::vector<bool> used(table.columns.size(), false);
  const ConstMatrix numbers = table.sparse ? ConstMatrix() : table.numbers();
  for (Index i = 0; i < numbers.rows; ++i) {
    for (std::size_t j = 0; j < used.size(); ++j) {
      used[j] = used[j] || numbers(i, static_cast<Index>(j)) != 0.0;
    }
  }
  if (table.sparse) {
    for (const std::int32_t j : table.sparse->columns) used[to_size(j)] = true;
  }
  std::vector<std::string> names;
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j]) names.push_back(table.columns[j]);
  }
  return names;
}

}  // namespace

Table read_table(const std::vector<std::string>& files, const ReadOptions& options) {
  return read_inputs(open_inputs(files, options), options);
}

Table read_inputs(std::vector<InputFile> inputs, const ReadOptions& options) {
  name_apart(inputs);
  const auto [labels, targets] = prepare_inputs(inputs, options);
  std::vector<FileTable> parts = read_parts(inputs, options);
  for (std::size_t f = 0; f < inputs.size(); ++f) {
    // Others are checked by their headers.
    if (inputs[f].format == FileFormat::npy) {
      refuse_shifted_columns(inputs[f], parts[f].table.columns, options);
    } else if (inputs[f].format == FileFormat::libsvm && !options.only_views.empty()) {
      refuse_shifted_columns(inputs[f], columns_with_entries(parts[f].table), options);
    }
  }
  require_memory_of_join(inputs, parts, options);
  check_forgotten_ids(inputs, parts, options);
  const bool in_lists = !options.label_columns.empty() && labels.empty();
  if (!labels.empty() || !options.target_columns.empty()) drop_lists(parts);
  const NeededFiles needed = needed_files(inputs, parts, targets, options);
  const RowMatch match = match_rows(inputs, parts, options, needed);
  Table table = join(inputs, std::move(parts), match);
  note_spellings(table, options);
  if (in_lists) take_lists(table, options);
  if (!labels.empty()) table.multi_labels = reordered(table.multi_labels, labels);
  if (!options.target_columns.empty()) take_targets(table, options, targets);
  table.missing_codes = options.na;
  return table;
}

namespace {

void check_sparse(const std::string& name, const Table& table) {
  const SparseMatrix& sparse = *table.sparse;
  if (!is_well_formed(sparse) || sparse.cols != length(table.columns)) {
    throw ParameterError(
        fmt::format("{}: the sparse numbers do not fit each other or the {} column names", name,
                    table.columns.size()));
  }
  if (!table.numbers().values.empty() || !table.categories.empty()) {
    throw ParameterError(
        fmt::format("{}: a sparse table has no other numbers and no categories", name));
  }
}

void check_table_numbers(const std::string& name, const Table& table) {
  const ConstMatrix numbers = table.numbers();
  require_shape(name, numbers);
  if (table.sparse) check_sparse(name, table);
  if (!table.values.values.empty() && !table.borrowed.values.empty()) {
    throw ParameterError(fmt::format("{}: it has both its own and borrowed numbers", name));
  }
  if (!table.sparse && length(table.columns) != numbers.cols) {
    throw ParameterError(fmt::format("{}: {} column names for {} columns", name,
                                     table.columns.size(), numbers.cols));
  }
}

void check_multi_labels(const std::string& name, const MultiLabels& labels) {
  if (labels.samples() * length(labels.names) == length(labels.values)) return;
  throw ParameterError(fmt::format("{}: {} label indicators do not fill rows of {} labels", name,
                                   labels.values.size(), labels.names.size()));
}

void check_target_numbers(const std::string& name, const TargetNumbers& targets) {
  require_shape("the targets of " + name, targets.values);
  const Index named = targets.names.empty() && !targets.empty() ? 1 : length(targets.names);
  if (targets.values.cols != named) {
    throw ParameterError(fmt::format("{}: {} columns of targets for {} names", name,
                                     targets.values.cols, targets.names.size()));
  }
  if (std::set<std::string>(targets.names.begin(), targets.names.end()).size() !=
      targets.names.size()) {
    throw ParameterError(fmt::format("{}: two targets have the same name", name));
  }
}

}  // namespace

void check_table(const Table& table) {
  const std::string name = table.source.empty() ? "the table" : table.source;
  check_table_numbers(name, table);
  check_multi_labels(name, table.multi_labels);
  check_target_numbers(name, table.targets);
}

std::vector<Index> column_places(const Table& table, const std::vector<std::string>& names) {
  check_table(table);
  std::unordered_map<std::string_view, Index> position;
  for (Index j = 0; j < length(table.columns); ++j) {
    position.emplace(table.columns[to_size(j)], j);
  }
  std::vector<Index> places;
  for (const std::string& name : names) {
    const auto found = position.find(name);
    if (found == position.end() && !is_absent_zero(table, name)) {
      std::vector<std::string> others = table.columns;  // a column that is in use is not meant
      const std::set<std::string> used(names.begin(), names.end());
      std::erase_if(others, [&](const std::string& other) { return used.contains(other); });
      throw DataError(fmt::format("{}: there is no column {}{}", table.source, in_quotes(name),
                                  did_you_mean(name, others)));
    }
    places.push_back(found == position.end() ? no_column : found->second);
  }
  return places;
}

void leave_out(Table& table, const std::vector<bool>& columns) {
  const Index kept = std::ranges::count(columns, false);
  if (table.sparse) {
    std::vector<Index> place;  // in the rest
    for (const bool left_out : columns) place.push_back(left_out ? 0 : 1);
    std::exclusive_scan(place.begin(), place.end(), place.begin(), Index{0});
    auto rest = std::make_shared<SparseMatrix>();
    rest->cols = kept;
    for (Index i = 0; i < table.samples(); ++i) {
      const auto own = table.sparse->columns_of(i);
      for (std::size_t k = 0; k < own.size(); ++k) {
        const auto j = to_size(own[k]);
        if (!columns[j]) rest->add(place[j], table.sparse->values_of(i)[k]);
      }
      rest->end_row();
    }
    table.sparse = std::move(rest);
    return;
  }
  Matrix rest(table.values.rows, kept);
  for (Index i = 0; i < rest.rows; ++i) {
    const ConstSpan row = std::as_const(table.values).row(i);
    auto next = rest.row(i).begin();
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (!columns[j]) *next++ = row[j];
    }
  }
  table.values = std::move(rest);
}

Matrix take_columns(Table& table, const std::vector<Index>& places) {
  for (const Index j : places) {
    const std::string& name = table.columns[to_size(j)];
    if (std::ranges::find(table.categories, name, &Categories::column) == table.categories.end()) {
      continue;
    }
    throw DataError(fmt::format("{}: column {} has words where numbers are needed", table.source,
                                in_quotes(name)));
  }
  std::vector<bool> taken(table.columns.size(), false);
  for (const Index j : places) taken[to_size(j)] = true;
  Matrix chosen(table.samples(), length(places));
  for (Index i = 0; i < chosen.rows; ++i) {
    std::ranges::transform(places, chosen.row(i).begin(),
                           [&](Index j) { return table.cell(i, j); });
  }
  leave_out(table, taken);
  const auto kept_before = [&](Index end) {
    return std::count(taken.begin(), taken.begin() + end, false);
  };
  for (FilePart& part : table.parts) {
    const Index end = kept_before(part.first + part.columns);
    part.first = kept_before(part.first);
    part.columns = end - part.first;
  }
  std::vector<std::string> columns;
  for (std::size_t j = 0; j < taken.size(); ++j) {
    if (!taken[j]) columns.push_back(std::move(table.columns[j]));
  }
  table.columns = std::move(columns);
  return chosen;
}

Matrix select_columns(const Table& table, const std::vector<std::string>& names) {
  const std::vector<Index> places = column_places(table, names);
  const ConstMatrix numbers = table.sparse ? dense(*table.sparse) : table.numbers();
  Matrix selected(numbers.rows, length(names));
  for (Index i = 0; i < numbers.rows; ++i) {
    const ConstSpan row = numbers.row(i);
    std::ranges::transform(places, selected.row(i).begin(),
                           [&](Index j) { return j == no_column ? 0.0 : row[to_size(j)]; });
  }
  return selected;
}

}  // namespace kernmix
