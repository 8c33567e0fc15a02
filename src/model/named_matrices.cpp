#include "model/named_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

using NameList = std::vector<std::string>;

class Places {
 public:
  /// \throws DataError for a name that occurs twice
  Places(const MatrixView& view, const char* what, const NameList& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [known, is_new] = places_.emplace(names[i], static_cast<Index>(i));
      if (is_new) continue;
      throw DataError(fmt::format("matrix '{}': {}s {} and {} have the same name {}", view.name,
                                  what, known->second + 1, i + 1, in_quotes(names[i])));
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return places_.contains(name); }
  /// no_place for those that are not there.
  [[nodiscard]] std::vector<Index> where(const NameList& names) const {
    std::vector<Index> found;
    for (const std::string& name : names) {
      const auto place = places_.find(name);
      found.push_back(place == places_.end() ? no_place : place->second);
    }
    return found;
  }
  [[nodiscard]] bool has_all(const NameList& names) const {
    return std::ranges::all_of(names, [&](const std::string& name) { return has(name); });
  }
  [[nodiscard]] bool has_any(const NameList& names) const {
    return std::ranges::any_of(names, [&](const std::string& name) { return has(name); });
  }
  /// All must be there.
  [[nodiscard]] std::vector<Index> of(const NameList& names) const {
    std::vector<Index> found;
    for (const std::string& name : names) found.push_back(places_.at(name));
    return found;
  }

 private:
  std::unordered_map<std::string_view, Index> places_;
};

/// The first of `names` that is not among `others`; empty if all are.
std::string first_beside(const NameList& names, const NameList& others) {
  const std::unordered_set<std::string_view> known(others.begin(), others.end());
  const auto found =
      std::ranges::find_if(names, [&](const std::string& name) { return !known.contains(name); });
  return found == names.end() ? std::string() : *found;
}

Index count_beside(const NameList& names, const NameList& others) {
  const std::unordered_set<std::string_view> known(others.begin(), others.end());
  return std::ranges::count_if(names,
                               [&](const std::string& name) { return !known.contains(name); });
}

bool same_set(const NameList& left, const NameList& right) {
  return count_beside(left, right) == 0 && count_beside(right, left) == 0;
}

[[noreturn]] void refuse_missing(const MatrixView& view, const char* what, const NameList& own,
                                 const NameList& wanted, const char* of) {
  const std::string extra = first_beside(own, wanted);
  throw DataError(fmt::format(
      "matrix '{}': {} of the {} {} have no {}, for example {}{}", view.name,
      count_beside(wanted, own), wanted.size(), of, what, in_quotes(first_beside(wanted, own)),
      extra.empty() ? ""
                    : fmt::format("; the matrix has {}, for example, which is not one of them",
                                  in_quotes(extra))));
}

/// Refuses a matrix of new samples whose rows are the support vectors.
void refuse_transposed(const MatrixView& view, const NameList& ids) {
  if (!Places(view, "row", view.matrix.names().rows).has_all(ids)) return;
  throw DataError(fmt::format(
      "matrix '{}': its rows are training samples of the model, for example {}; transpose it, so "
      "that rows are new samples and columns training samples",
      view.name, in_quotes(ids.front())));
}

/// The column of numbers whose values are the names, or "".
std::string column_with(const NameList& names, const Table& table) {
  std::unordered_set<double> numbers;
  for (const std::string& name : names) {
    const auto number = parse_number(name);
    if (!number) return "";
    numbers.insert(*number);
  }
  const Index n = table.samples();
  for (Index j = 0; j < length(table.columns); ++j) {
    Index i = 0;
    while (i < n && numbers.contains(table.cell(i, j))) ++i;
    if (i == n && i > 0) return table.columns[to_size(j)];
  }
  return "";
}

[[noreturn]] void refuse_without_ids(const MatrixView& view, const NameList& names,
                                     const Table& table) {
  const std::string column = column_with(names, table);
  throw DataError(fmt::format(
      "matrix '{}' names its samples ({}, ...), and the table has no sample ids to compare them "
      "with: name the column of ids with --id{}; rows of a matrix without names are matched by "
      "position",
      view.name, in_quotes(names.front()),
      column.empty() ? "" : fmt::format(", here --id {}", column)));
}

/// True if nothing but matrices tells what the samples are.
bool has_no_samples(const Table& table) {
  return table.ids.empty() && table.labels.empty() && table.columns.empty() &&
         table.multi_labels.names.empty() && table.targets.empty() && table.source.empty();
}

/// The samples that have a place.
std::vector<Index> with_place(const std::vector<Index>& places) {
  std::vector<Index> samples;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != no_place) samples.push_back(static_cast<Index>(i));
  }
  return samples;
}

/// Samples without a row lack the view of the matrix.
void note_most_absent(const MatrixView& view, const NameList& names, Table& table) {
  const Index absent = count_beside(table.ids, names);
  if (2 * absent <= length(table.ids)) return;
  const std::string extra = first_beside(names, table.ids);
  table.notes.push_back(fmt::format(
      "matrix '{}': {} of the {} samples of the table have no row, for example {}{}", view.name,
      absent, table.ids.size(), in_quotes(first_beside(table.ids, names)),
      extra.empty() ? ""
                    : fmt::format("; the matrix has {}, for example, which is not one of them",
                                  in_quotes(extra))));
}

/// The rows of the samples; nullopt: the names only count, and rows are matched by position.
/// \param may_lack  samples may have no row: no_place
std::optional<std::vector<Index>> rows_of_samples(Table& table, const MatrixView& view,
                                                  const NameList& names, bool may_lack) {
  const Places places(view, "row", names);
  const bool counted = only_count(names);
  if (table.ids.empty()) {
    if (counted) return std::nullopt;
    refuse_without_ids(view, names, table);
  }
  if (places.has_all(table.ids)) return places.of(table.ids);
  if (counted && names.size() == table.ids.size() && !places.has_any(table.ids)) {
    return std::nullopt;
  }
  if (!may_lack || !places.has_any(table.ids)) {
    refuse_missing(view, "row", names, table.ids, "samples of the table");
  }
  note_most_absent(view, names, table);
  return places.where(table.ids);
}

void note_extra(const MatrixView& view, const NameList& names, Table& table) {
  const std::size_t extra = to_size(count_beside(names, table.ids));
  if (extra == 0) return;
  const bool most = 2 * extra > names.size();
  table.notes.push_back(fmt::format(
      "matrix '{}': {} of its {} samples {} not in the table and {} left out, for example {}{}",
      view.name, extra, names.size(), extra == 1 ? "is" : "are", extra == 1 ? "was" : "were",
      in_quotes(first_beside(names, table.ids)),
      most ? fmt::format("; the table has {}, for example", in_quotes(table.ids.front())) : ""));
}

void note_position(const MatrixView& view, Table& table) {
  if (table.ids.empty()) return;
  table.notes.push_back(fmt::format(
      "matrix '{}': its names only count its rows, which are matched with the samples by position",
      view.name));
}

/// Distinct whole numbers as names; empty for other numbers.
NameList names_of_numbers(const Vector& numbers) {
  NameList names;
  std::unordered_set<double> seen;
  for (const double number : numbers) {
    if (number != std::floor(number) || !seen.insert(number).second) return {};
    names.push_back(fmt::format("{}", number));
  }
  return names;
}

/// A training matrix without names that has one row or one column too many: distinct whole numbers
/// in the first one are the names of the samples.
void take_numbers_as_names(MatrixView& view, const Context& context) {
  const ConstMatrix* const values = view.matrix.in_memory();
  if (values == nullptr || std::min(values->rows, values->cols) < 2) return;
  const bool in_row = values->rows == values->cols + 1;
  if (!in_row && values->cols != values->rows + 1) return;
  const ConstSpan first = values->row(0);
  NameList names =
      names_of_numbers(in_row ? Vector(first.begin(), first.end()) : column_of(*values, 0));
  if (names.empty()) return;
  GivenMatrix rest = part_of_matrix(view.matrix, index_range(in_row ? 1 : 0, values->rows),
                                    index_range(in_row ? 0 : 1, values->cols), context);
  rest.set_names({names, names});
  view.matrix = std::move(rest);
}

bool is_whole_entry(double number) { return number == std::floor(number); }

/// New samples by "id,p1,p2" above "1005,0.3,0.7": a first column of distinct whole numbers beside
/// other numbers holds the names of the rows if these are the ids of the table.
void take_column_as_names(MatrixView& view, Table& table, const Context& context) {
  const MatrixNames names = view.matrix.names();
  const ConstMatrix* const values = view.matrix.in_memory();
  if (!names.rows.empty() || names.columns.size() < 2 || values == nullptr) return;
  NameList rows = names_of_numbers(column_of(*values, 0));
  if (rows.empty()) return;
  if (!table.ids.empty() && Places(view, "row", rows).has_all(table.ids)) {
    view.matrix = part_of_matrix(view.matrix, all_samples(values->rows),
                                 index_range(1, values->cols), context);
    view.matrix.set_names({std::move(rows), {names.columns.begin() + 1, names.columns.end()}});
    return;
  }
  const ConstSpan first = values->row(0);
  if (values->rows < 2 || std::ranges::all_of(first, is_whole_entry)) return;
  table.notes.push_back(fmt::format(
      "matrix '{}': its first column {} holds whole numbers and is taken for values of a sample of "
      "that name; {}",
      view.name, in_quotes(names.columns.front()),
      table.ids.empty() ? "if they name the rows, leave the first field of the first line empty"
                        : "they are not the ids of the table, and rows are matched by position"));
}

/// A first row 0, 1, ... or 1, 2, ... may be a header.
void note_counting_row(const MatrixView& view, Table& table) {
  const ConstMatrix* const values = view.matrix.in_memory();
  if (values == nullptr || values->rows < 2 || values->cols < 3) return;
  const ConstSpan first = values->row(0);
  if (first[0] != 0.0 && first[0] != 1.0) return;
  for (std::size_t j = 1; j < first.size(); ++j) {
    if (first[j] != first[j - 1] + 1.0) return;
  }
  table.notes.push_back(fmt::format(
      "matrix '{}': its first row is {}, {}, {}, ... and is taken for a new sample; if it names "
      "the columns, put the names in quotes",
      view.name, first[0], first[1], first[2]));
}

/// The name that R gives a column of a data frame unless check.names = FALSE.
std::string checked_by_r(const std::string& name) {
  std::string result = name;
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) == 0 && c != '_') c = '.';
  }
  return !result.empty() && is_decimal_digit(result.front()) ? "X" + result : result;
}

[[noreturn]] void refuse_names_that_differ(const MatrixView& view, const MatrixNames& names) {
  const std::string row = first_beside(names.rows, names.columns);
  const std::string column = first_beside(names.columns, names.rows);
  throw DataError(fmt::format(
      "matrix '{}': {} of its {} rows have names that no column has: row {}, and column {}, for "
      "example; a training matrix has the same samples in rows and columns{}",
      view.name, count_beside(names.rows, names.columns), names.rows.size(), in_quotes(row),
      in_quotes(column),
      checked_by_r(row) == column ? " (R's check.names = FALSE keeps names as they are)" : ""));
}

/// The names of rows and columns of a training matrix: of a square one both are the same samples.
MatrixNames training_names(const MatrixView& view) {
  MatrixNames names = view.matrix.names();
  if (view.matrix.rows() != view.matrix.cols()) return names;
  if (names.rows.empty()) names.rows = names.columns;
  if (names.columns.empty()) names.columns = names.rows;
  static_cast<void>(Places(view, "row", names.rows));
  static_cast<void>(Places(view, "column", names.columns));
  if (same_set(names.rows, names.columns)) return names;
  if (only_count(names.columns)) {
    names.columns = names.rows;
  } else if (only_count(names.rows)) {
    names.rows = names.columns;
  } else {
    refuse_names_that_differ(view, names);
  }
  return names;
}

bool is_identity(const std::vector<Index>& places, Index count) {
  return length(places) == count && std::ranges::equal(places, all_samples(count));
}

/// True if names tell which rows are the samples.
bool join_training_matrix(MatrixView& view, Table& table, bool may_lack, const Context& context) {
  if (view.matrix.names().rows.empty() && view.matrix.names().columns.empty()) {
    take_numbers_as_names(view, context);
  }
  const MatrixNames names = training_names(view);
  if (names.rows.empty() || names.columns.empty()) return false;
  if (has_no_samples(table) && !only_count(names.rows)) table.ids = names.rows;
  const auto rows = rows_of_samples(table, view, names.rows, may_lack);
  if (!rows) {
    note_position(view, table);
  } else {
    note_extra(view, names.rows, table);
  }
  const NameList& order = rows ? table.ids : names.rows;
  const Places places(view, "column", names.columns);
  if (rows && std::ranges::find(*rows, no_place) != rows->end()) {
    view.present = with_place(*rows);
    view.matrix = part_of_matrix(view.matrix, *rows, places.where(order), context);
    return true;
  }
  if (!places.has_all(order)) refuse_missing(view, "column", names.columns, order, "samples");
  const std::vector<Index> columns = places.of(order);
  const std::vector<Index> own = rows ? *rows : all_samples(view.matrix.rows());
  if (is_identity(own, view.matrix.rows()) && is_identity(columns, view.matrix.cols())) {
    view.matrix.set_names({});
  } else {
    view.matrix = part_of_matrix(view.matrix, own, columns, context);
  }
  return rows.has_value();
}

/// True if names tell which rows are the samples.
bool join_new_matrix(MatrixView& view, Table& table, bool may_lack, const Context& context) {
  take_column_as_names(view, table, context);
  const MatrixNames names = view.matrix.names();
  if (names.columns.empty() && names.rows.empty() && has_no_samples(table)) {
    note_counting_row(view, table);
  }
  if (names.rows.empty()) return false;
  if (has_no_samples(table) && !only_count(names.rows)) table.ids = names.rows;
  const auto rows = rows_of_samples(table, view, names.rows, may_lack);
  if (rows) {
    note_extra(view, names.rows, table);
    if (std::ranges::find(*rows, no_place) != rows->end()) view.present = with_place(*rows);
    if (!is_identity(*rows, view.matrix.rows())) {
      view.matrix = part_of_matrix(view.matrix, *rows, all_samples(view.matrix.cols()), context);
    }
  } else {
    note_position(view, table);
  }
  view.matrix.set_names({rows ? table.ids : NameList(), names.columns});
  return rows.has_value();
}

/// Ids are asked for, and matrices without names cannot be compared with them.
void note_without_names(const NameList& names, Table& table) {
  constexpr std::size_t most_names = 3;
  if (names.empty() || table.ids.empty() || table.source.empty()) return;
  const bool one = names.size() == 1;
  table.notes.push_back(
      fmt::format("matri{} {} ha{} no names of samples: {} rows are taken in the order of {}",
                  one ? "x" : "ces", listed(names, most_names), one ? "s" : "ve",
                  one ? "its" : "their", table.source));
}

/// Without a table, one matrix with names gives the ids: says which others have none to compare.
void join_matrices(Dataset& data, bool training, const Context& context,
                   bool (*join)(MatrixView&, Table&, bool, const Context&)) {
  const bool no_samples = has_no_samples(data.table);
  NameList unnamed;
  NameList without_names;  // the others only count, which has a note
  std::string named;
  std::size_t held = held_bytes(data);
  for (MatrixView& view : data.matrices) {
    stop_if_asked(context);
    const bool may_lack =
        data.incomplete.empty()
            ? training && data.views.size() + data.matrices.size() > 1
            : std::ranges::find(data.incomplete, view.name) != data.incomplete.end();
    const bool has_names =
        !view.matrix.names().rows.empty() || !view.matrix.names().columns.empty();
    const std::size_t before = view.matrix.bytes();
    const bool compared = join(view, data.table, may_lack, beside(context, held));
    held = held - before + view.matrix.bytes();
    if (compared && named.empty()) named = view.name;
    if (!compared) unnamed.push_back(view.name);
    if (!compared && !has_names) without_names.push_back(in_quotes(view.name));
  }
  if (training) note_without_names(without_names, data.table);
  if (!no_samples || named.empty()) return;
  for (const std::string& name : unnamed) {
    data.table.notes.push_back(
        fmt::format("matrix '{}' has no names of samples: its rows are matched with those of "
                    "matrix '{}' by position, and their order cannot be compared",
                    name, named));
  }
}

/// True if the names are the numbers of these places, from 0 or from 1, as they are or after V or
/// X.
bool number_places(const NameList& names, const std::vector<Index>& places) {
  for (const char* const start : {"", "V", "X"}) {
    for (const Index first : {0, 1}) {
      const auto counts = [&](const std::string& name, Index place) {
        return name == start + std::to_string(place + first);
      };
      if (std::ranges::equal(names, places, counts)) return true;
    }
  }
  return false;
}

/// Names 0, 1, ... of all training samples may be positions where no id is 0, the ids being those
/// of support vectors only.
[[noreturn]] void refuse_ambiguous(const MatrixView& view, const NameList& names) {
  throw DataError(fmt::format(
      "matrix '{}': its columns {}, {}, ... may be positions or ids of the training samples; give "
      "them in the order of training without names",
      view.name, in_quotes(names.front()), in_quotes(names[1])));
}

/// True if the names of the columns, which only count, are places rather than the ids of these
/// support vectors. \throws DataError if they may be either
bool are_support_places(const Model& model, const MatrixView& view, const Places& places,
                        const NameList& ids, bool is_incomplete) {
  const NameList& names = view.matrix.names().columns;
  const bool all = length(names) == model.training_samples;
  if ((!all && length(names) != length(model.support)) || !only_count(names)) return false;
  const bool ids_count = all && number_places(ids, model.support);
  if (!is_incomplete && (!places.has_any(ids) || ids_count)) return true;
  const bool from_zero = names.size() > 1 && names.front().ends_with('0');
  if (all && from_zero && std::ranges::find(ids, names.front()) == ids.end()) {
    refuse_ambiguous(view, names);
  }
  return false;
}

}  // namespace

std::size_t held_bytes(const Dataset& data) {
  const Table& table = data.table;
  const std::size_t texts = table.labels.size() + table.ids.size();
  std::size_t bytes = table.numbers().values.size_bytes() + texts * sizeof(std::string) +
                      table.multi_labels.values.size() + (table.sparse ? table.sparse->bytes() : 0);
  for (const MatrixView& view : data.matrices) bytes += view.matrix.bytes();
  return bytes;
}

bool only_count(const NameList& names) { return number_places(names, all_samples(length(names))); }

std::optional<std::vector<Index>> named_support(const Model& model, const MatrixView& view,
                                                const PresentSamples* present) {
  const NameList& names = view.matrix.names().columns;
  if (names.empty()) return std::nullopt;
  const Places places(view, "column", names);
  const NameList ids =
      present == nullptr ? model.support_ids : entries_at(model.support_ids, present->samples());
  if (are_support_places(model, view, places, ids, present != nullptr)) return std::nullopt;
  if (!ids.empty() && places.has_all(ids)) return places.of(ids);
  if (!ids.empty()) {
    refuse_transposed(view, ids);
    refuse_missing(view, "column", names, ids, "support vectors of the model");
  }
  throw DataError(fmt::format(
      "matrix '{}' names the samples of its columns ({}, ...), and the model has no ids of its "
      "training samples to compare them with: train it with --id, or give the matrix without names",
      view.name, in_quotes(names.front())));
}

NameList notes_on_columns(const Model& model, const Dataset& data) {
  NameList known = model.support_ids;
  known.insert(known.end(), data.table.ids.begin(), data.table.ids.end());
  NameList notes;
  for (const MatrixView& view : data.matrices) {
    const NameList& names = view.matrix.names().columns;
    if (names.empty() || only_count(names) || model.support_ids.empty()) continue;
    const Index others = model.training_samples - length(model.support);
    const Index extra = count_beside(names, known) - others;
    if (extra <= 0) continue;
    notes.push_back(fmt::format(
        "matrix '{}': {}{} of its {} columns {} neither training samples of the model nor samples "
        "of the table and {} not read{}",
        view.name, others == 0 ? "" : "at least ", extra, names.size(), extra == 1 ? "is" : "are",
        extra == 1 ? "is" : "are",
        others == 0 ? ", for example " + in_quotes(first_beside(names, known)) : ""));
  }
  return notes;
}

void check_row_names(const Table& table, const MatrixView& view) {
  const NameList& names = view.matrix.names().rows;
  if (names.empty() || names == table.ids || only_count(names)) return;
  throw DataError(fmt::format(
      "matrix '{}' has names of samples in another order than the table: join_training_matrices() "
      "and join_new_matrices() put it into that order",
      view.name));
}

void check_column_names(const MatrixView& view) {
  const MatrixNames& names = view.matrix.names();
  if (names.columns.empty() || only_count(names.columns) || names.columns == names.rows) return;
  throw DataError(
      fmt::format("matrix '{}' has names of columns in another order than those of its rows: "
                  "join_training_matrices() puts it into the order of the table",
                  view.name));
}

void join_training_matrices(Dataset& data, const Context& context) {
  join_matrices(data, true, context, join_training_matrix);
}

void join_new_matrices(Dataset& data, const Context& context) {
  join_matrices(data, false, context, join_new_matrix);
}

}  // namespace kernmix
