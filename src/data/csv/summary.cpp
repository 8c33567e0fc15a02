#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "data/arrays/array_tables.hpp"
#include "data/csv.hpp"
#include "data/csv/label_spelling.hpp"
#include "data/csv/names_memory.hpp"
#include "data/csv/reading.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"
#include "kernmix/table_summary.hpp"

namespace kernmix {
namespace {

std::string kind_of_value(const ColumnFaults* faults, Index missing, Index rows) {
  if (faults != nullptr) {
    const auto has = [&](Fault fault) { return (*faults)[fault].cells > 0; };
    if (has(Fault::word)) return "words";
    if (has(Fault::date)) return "dates";
    if (has(Fault::percent)) return "percentages";
    if (has(Fault::truth)) return "truth values";
    if (has(Fault::marked)) return "numbers with units or marks";
    if (has(Fault::notation)) return "numbers in another notation";
  }
  return missing == rows && rows > 0 ? "empty" : "numbers";
}

std::vector<ColumnSummary> columns_of(const InputFile& file, const ReadOptions& options,
                                      const CsvReading& reading) {
  const std::vector<Role> roles = roles_of(file, options);
  std::unordered_set<std::string_view> words;
  for (const Categories& column : reading.table.table.categories) words.insert(column.column);
  std::vector<ColumnSummary> columns;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    const bool unnamed = std::ranges::count(file.unnamed, j) > 0;
    const ColumnFaults* const faults = reading.problems.of(j);
    std::string kind = roles[j] == Role::label     ? "label"
                       : roles[j] == Role::flag    ? "label indicators"
                       : roles[j] == Role::id      ? "sample ids"
                       : file.row_names && j == 0  ? "row names"
                       : roles[j] == Role::skipped ? "ignored"
                       : unnamed                   ? (faults == nullptr ? "empty" : "words")
                       : words.contains(file.header[j])
                           ? "words"
                           : kind_of_value(faults, reading.missing[j], reading.rows());
    columns.push_back({file.header[j], std::move(kind), reading.missing[j]});
  }
  return columns;
}

/// Ids that occur twice.
void add_repeated_ids(const CsvReading& reading, const std::string& id_column,
                      std::vector<TableProblem>& problems) {
  std::unordered_map<std::string_view, Index> known;
  TableProblem problem;
  const std::vector<std::string>& ids = reading.table.table.ids;
  for (Index i = 0; i < length(ids); ++i) {
    const std::string& id = ids[to_size(i)];
    const auto [first, is_new] = known.emplace(id, reading.table.lines[to_size(i)]);
    if (is_new || is_missing_name(id)) continue;
    if (problem.cells++ > 0) continue;
    problem = {reading.table.lines[to_size(i)],
               id_column,
               fmt::format("sample id {} occurs on line {}, too", in_quotes(id), first->second),
               id,
               1,
               "ids must differ: rename or remove samples"};
  }
  if (problem.cells > 0) problems.push_back(std::move(problem));
}

void add_sentence(const std::string& sentence, std::vector<TableProblem>& problems) {
  problems.push_back({0, "", sentence, "", 1, ""});
}

void summarise_samples(const InputFile& file, const ReadOptions& options, TableSummary& summary) {
  CsvReading reading = read_samples(file, options);
  const NumberFormat format = reading.problems.format();
  summary.decimal = format.decimal;
  summary.thousands = format.thousands;
  summary.samples = reading.rows();
  summary.columns = columns_of(file, options, reading);
  summary.problems = describe(reading.problems, file, options, reading.rows());
  add_repeated_ids(reading, options.id_column, summary.problems);
  if (summary.problems.empty() && summary.samples == 0) {
    add_sentence("the file has a header but no samples", summary.problems);
  }
  std::vector<std::string> notes = std::move(reading.table.table.notes);
  summary.table = std::move(reading.table.table);
  summary.table.source = file.path;
  summary.table.notes = file.notes;
  std::ranges::move(notes, std::back_inserter(summary.table.notes));
  const std::string spelling = label_spellings(summary.table.labels, options.label_column);
  if (!spelling.empty()) summary.table.notes.push_back(fmt::format("{}: {}", file.path, spelling));
}

/// summarise_samples(), with what cannot be read at all as a problem.
void summarise_text(const InputFile& file, const ReadOptions& options, TableSummary& summary) {
  try {
    summarise_samples(file, options, summary);
  } catch (const DataError& fault) {  // quotes that are not closed
    add_sentence(fault.what(), summary.problems);
  }
}

/// Whether a row misses some of its cells and not all.
bool misses_single_cells(const Table& table) {
  const ConstMatrix numbers = table.numbers();
  const auto is_missing = [](double value) { return std::isnan(value); };
  for (Index i = 0; i < numbers.rows; ++i) {
    const ConstSpan row = numbers.row(i);
    if (std::ranges::any_of(row, is_missing) && !std::ranges::all_of(row, is_missing)) return true;
  }
  return false;
}

TableSummary summary_of_part(const InputFile& file, ReadOptions options) {
  TableSummary summary;
  summary.format = file_format_name(file.format);
  summary.encoding = file.encoding;
  summary.table.source = file.path;
  if (file.format != FileFormat::csv && file.format != FileFormat::tsv) return summary;
  summary.separator = file.separator;
  const bool lists_missing = !options.keep_missing;
  options.keep_missing = true;
  summarise_text(file, options, summary);
  // A table with problems is not complete, so that its rows cannot be judged.
  if (!lists_missing || (summary.problems.empty() && !misses_single_cells(summary.table))) {
    return summary;
  }
  options.keep_missing = false;
  summary.problems.clear();
  summarise_text(file, options, summary);
  return summary;
}

}  // namespace

std::vector<TableSummary> summarise_tables(const std::vector<std::string>& files,
                                           const ReadOptions& options) {
  std::vector<InputFile> inputs = open_inputs(files, options);
  name_apart(inputs);
  prepare_inputs(inputs, options);
  std::vector<TableSummary> summaries;
  for (const InputFile& file : inputs) {
    summaries.push_back(summary_of_part(file, options));
    Table& table = summaries.back().table;  // one table at a time is in memory
    table.values = Matrix();
    table.labels = table.ids = {};
  }
  return summaries;
}

TableSummary summarise_table(const std::string& path, const ReadOptions& options) {
  std::vector<InputFile> files;
  files.push_back(open_input(path, options.format, options.context));
  InputFile& file = files.front();
  TableSummary summary;
  summary.format = file_format_name(file.format);
  summary.encoding = file.encoding;
  summary.table.source = file.path;
  require_memory_of_names(file, options.context);
  if (file.format != FileFormat::csv && file.format != FileFormat::tsv) {
    read_names(file, options.header);
    summary.table = read_inputs(std::move(files), options);
    summary.samples = summary.table.samples();
    return summary;
  }
  try {
    read_csv_header(file, options.header);
    summary.separator = file.separator;
  } catch (const DataError& fault) {
    add_sentence(fault.what(), summary.problems);
    return summary;
  }
  prepare_inputs(files, options);
  summarise_text(file, options, summary);
  return summary;
}

}  // namespace kernmix
