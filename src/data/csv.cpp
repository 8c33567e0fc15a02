#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "data/csv/reading.hpp"
#include "data/csv/record_reader.hpp"
#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Reserves memory for one sample on each line, but not for more than the text can contain: a
/// number and its separator have two bytes.
void reserve(const InputFile& file, const ReadOptions& options, FileTable& result) {
  Table& table = result.table;
  const Index header = file.numbered ? 0 : 1;
  const Index ends = std::count(file.text.begin(), file.text.end(), '\n');
  const Index lines = std::max<Index>(ends + (file.text.ends_with('\n') ? 0 : 1) - header, 1);
  const Index columns = length(table.columns);
  const Index most = length(file.text) / (2 * std::max<Index>(columns, 1)) + 1;
  const Index rows = std::min(lines, most);
  const std::size_t texts =
      (options.label_column.empty() ? 0 : 1) + (options.id_column.empty() ? 0 : 1);
  constexpr std::size_t of_lookup = 64;  // a label or an id in a table of those that are known
  const std::size_t each = sizeof(Index) + texts * (sizeof(std::string) + of_lookup);
  require_table_memory(file.path, rows, columns, options.context.memory_bytes,
                       file.text.size() + to_size(rows) * each);
  table.values.values.reserve(to_size(rows * columns));
  if (!options.label_column.empty()) table.labels.reserve(to_size(rows));
  if (!options.id_column.empty()) table.ids.reserve(to_size(rows));
  result.lines.reserve(to_size(rows));
}

/// Reads all samples in one notation of numbers. \param stop  nullopt as soon as a comma can only
/// be a decimal mark
std::optional<CsvReading> read_as(const InputFile& file, const ReadOptions& options,
                                  NumberFormat format, bool stop) {
  CsvReading result{{}, Problems(format), {}};
  RecordReader records(file, options, result);
  name_by_role(file, records.roles(), result.table.table);
  reserve(file, options, result.table);
  CsvReader reader(file.text, file.separator, file.path, format.decimal);
  skip_names(file, reader);
  while (reader.next_record()) {
    stop_reading_if_asked(file.path, options.context);
    records.read(reader);
    if (stop && records.saw_decimal_comma()) return std::nullopt;
  }
  Table& table = result.table.table;
  table.values.rows = result.rows();
  table.values.cols = length(table.columns);
  records.finish();
  note_samples(file, reader.empty_records(), result);
  return result;
}

/// The notations in which the faulty numbers can be read, apart from the present one.
std::vector<NumberFormat> other_notations(const Problems& problems, const ReadOptions& options) {
  std::vector<NumberFormat> others;
  const Notations common = problems.notations();
  if (options.decimal == '\0' && is_either(common, options.thousands)) return others;
  for (const NumberFormat format : common.formats()) {
    const bool as_asked = (options.decimal == '\0' || format.decimal == options.decimal) &&
                          (options.thousands == '\0' || format.thousands == options.thousands);
    if (as_asked && format != problems.format()) others.push_back(format);
  }
  return others;
}

Index cells_with_faults(const Problems& problems, std::size_t column) {
  const ColumnFaults* const faults = problems.of(column);
  Index cells = 0;
  for (std::size_t k = 0; faults != nullptr && k < fault_kinds; ++k) cells += faults->of[k].cells;
  return cells;
}

/// Whether some column has more faults than before.
bool is_worse_somewhere(const Problems& trial, const Problems& before) {
  return std::ranges::any_of(trial.columns(), [&](const auto& column) {
    return cells_with_faults(trial, column.first) > cells_with_faults(before, column.first);
  });
}

/// Looks for a notation in which more numbers can be read. If it has no groups that were not asked
/// for, it is used; otherwise it is proposed if it suits every column.
CsvReading in_best_notation(CsvReading plain, const InputFile& file, const ReadOptions& options) {
  Index least = plain.problems.cells();
  std::optional<CsvReading> best;
  for (const NumberFormat format : other_notations(plain.problems, options)) {
    std::optional<CsvReading> trial = read_as(file, options, format, false);
    if (trial->problems.cells() >= least) continue;
    const bool proposed = format.thousands != options.thousands;
    if (proposed && is_worse_somewhere(trial->problems, plain.problems)) continue;
    least = trial->problems.cells();
    best = std::move(trial);
    if (best->problems.notations().empty()) break;
  }
  if (!best) return plain;
  const NumberFormat format = best->problems.format();
  if (format.thousands == options.thousands) return std::move(*best);
  plain.problems.better = format;
  return plain;
}

}  // namespace

void skip_names(const InputFile& file, CsvReader& reader) {
  if (file.numbered) return;
  reader.next_record();
  reader.skip_rest();
}

void note_samples(const InputFile& file, Index empty_records, CsvReading& reading) {
  std::vector<std::string>& notes = reading.table.table.notes;
  if (empty_records > 0) {
    notes.push_back(fmt::format("{}: {} empty row{} skipped", file.path, empty_records,
                                empty_records == 1 ? " is" : "s are"));
  }
  for (const std::size_t j : file.unnamed) {
    if (reading.problems.of(j) != nullptr) continue;
    notes.push_back(fmt::format("{}: column {} has neither a name nor values and is left out",
                                file.path, j + 1));
  }
}

void check_notation(const ReadOptions& options) {
  if (options.decimal != '\0' && options.decimal != '.' && options.decimal != ',') {
    throw ParameterError("--decimal must be a point or a comma");
  }
  if (options.thousands != '\0' &&
      std::string_view(",.' ").find(options.thousands) == std::string_view::npos) {
    throw ParameterError("--thousands must be a comma, a point, an apostrophe or a blank");
  }
  if (options.decimal != '\0' && options.decimal == options.thousands) {
    throw ParameterError(
        fmt::format("--thousands {0}: --decimal {0} gives this character another meaning",
                    std::string(1, options.thousands)));
  }
}

void note_notation(const InputFile& file, const ReadOptions& options, CsvReading& reading) {
  if (reading.problems.format().decimal != ',' || options.decimal != '\0') return;
  reading.table.table.notes.push_back(file.path + ": numbers are read with decimal commas");
}

CsvReading read_samples(const InputFile& file, const ReadOptions& options) {
  check_notation(options);
  const bool comma =
      options.decimal == ',' || (options.decimal == '\0' && options.thousands == '.');
  const NumberFormat first{comma ? ',' : '.', options.thousands};
  const NumberFormat second{',', options.thousands};
  const bool open = options.decimal == '\0' && !comma && options.thousands != ',';
  std::optional<CsvReading> reading = read_as(file, options, first, open);
  if (!reading) {
    reading = read_as(file, options, second, false);
    if (!reading->problems.notations().empty()) reading = read_as(file, options, first, false);
  }
  if (!reading->problems.notations().empty() && reading->problems.format() == first) {
    reading = in_best_notation(std::move(*reading), file, options);
  }
  note_notation(file, options, *reading);
  return std::move(*reading);
}

FileTable read_csv(const InputFile& file, const ReadOptions& options) {
  CsvReading reading = read_samples(file, options);
  if (!reading.problems.empty()) refuse_problems(reading.problems, file, options, reading.rows());
  if (reading.rows() == 0) throw DataError(file.path + ": has a header but no samples");
  return std::move(reading.table);
}

}  // namespace kernmix
