#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"
#include "text.hpp"

namespace kernmix {
namespace {

enum class Role : char { value, label, id, skipped };

/// Where a message points to.
std::string place(const InputFile& file, Index line, const std::string& column) {
  return fmt::format("{}:{}: column {}: ", file.path, line, in_quotes(column));
}

/// A header made of numbers is a first sample, unless it counts the columns as pandas does.
void require_names(const InputFile& file, Index line) {
  std::vector<double> numbers;
  for (const std::string& name : file.header) {
    const std::optional<double> number = parse_number(name);
    if (!number) return;
    numbers.push_back(*number);
  }
  bool counts = numbers[0] == 0.0 || numbers[0] == 1.0;
  for (std::size_t j = 1; j < numbers.size(); ++j) counts &= numbers[j] == numbers[j - 1] + 1.0;
  if (counts) return;
  throw DataError(
      fmt::format("{}:{}: the first line holds only numbers; begin the file with a "
                  "header of column names",
                  file.path, line));
}

Role role_of(const std::string& name, const ReadOptions& options) {
  if (!options.label_column.empty() && name == options.label_column) return Role::label;
  if (!options.id_column.empty() && name == options.id_column) return Role::id;
  const auto matches = [&](const std::string& pattern) { return glob_match(pattern, name); };
  if (std::any_of(options.ignore.begin(), options.ignore.end(), matches)) return Role::skipped;
  return Role::value;
}

std::vector<Role> roles_of(const InputFile& file, const ReadOptions& options) {
  const std::unordered_set<std::string> only(options.only.begin(), options.only.end());
  std::vector<Role> roles;
  for (const std::string& name : file.header) {
    Role role = role_of(name, options);
    const bool wanted = only.empty() || only.count(name) || only.count(file.name + "." + name);
    if (role == Role::value && !wanted) role = Role::skipped;
    roles.push_back(role);
  }
  return roles;
}

[[noreturn]] void refuse_value(const InputFile& file, Index line, const std::string& column,
                               std::string_view text) {
  const std::string where = place(file, line, column);
  if (is_missing_value(text)) {
    const std::string what =
        text.empty() ? "the field is empty" : in_quotes(text) + " is a missing value";
    throw DataError(where + what +
                    "; fill it in, remove the sample, or leave the column out with --ignore");
  }
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  if (with_point != text && parse_number(with_point)) {
    throw DataError(where + in_quotes(text) + " has a decimal comma; write a decimal point");
  }
  throw DataError(where + in_quotes(text) +
                  " is not a finite number; if the column holds labels, sample ids or nothing of "
                  "use, name it with --label, --id or --ignore");
}

void require_name(const InputFile& file, Index line, const std::string& column,
                  std::string_view text, std::string_view what) {
  if (!is_missing_name(text)) return;
  throw DataError(fmt::format("{}the {} is missing; fill it in or remove the sample",
                              place(file, line, column), what));
}

[[noreturn]] void refuse_ragged(const InputFile& file, Index line, Index fields) {
  throw DataError(fmt::format("{}:{}: {} field{} where the header has {}", file.path, line, fields,
                              fields == 1 ? "" : "s", file.header.size()));
}

/// Reads the fields of one record into `result`.
void read_record(CsvReader& reader, const InputFile& file, const std::vector<Role>& roles,
                 FileTable& result) {
  const Index line = reader.line();
  Table& table = result.table;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (reader.record_ended()) refuse_ragged(file, line, static_cast<Index>(j));
    double value = 0.0;
    if (roles[j] == Role::value && reader.number(value)) {
      table.values.values.push_back(value);
      continue;
    }
    const std::string_view text = reader.field();
    if (roles[j] == Role::value) {
      const std::optional<double> number = parse_number(text);
      if (!number) refuse_value(file, line, file.header[j], text);
      table.values.values.push_back(*number);
    } else if (roles[j] == Role::label) {
      require_name(file, line, file.header[j], text, "label");
      table.labels.emplace_back(text);
    } else if (roles[j] == Role::id) {
      require_name(file, line, file.header[j], text, "sample id");
      table.ids.emplace_back(text);
    }
  }
  if (!reader.record_ended()) refuse_ragged(file, line, length(roles) + reader.skip_rest());
  result.lines.push_back(line);
}

/// Reserves for as many samples as there are lines, but never more than the text can hold: a number
/// and its separator are two bytes.
void reserve(const InputFile& file, const ReadOptions& options, Table& table) {
  const Index lines = std::count(file.text.begin(), file.text.end(), '\n') + 1;
  const Index columns = length(table.columns);
  const Index most = length(file.text) / (2 * std::max<Index>(columns, 1)) + 1;
  const Index rows = std::min(lines, most);
  require_table_memory(file.path, rows, columns, options.memory_bytes);
  table.values.values.reserve(static_cast<std::size_t>(rows * columns));
}

}  // namespace

void read_csv_header(InputFile& file) {
  file.separator = file.format == FileFormat::tsv ? '\t' : detect_separator(file.text, ",;\t");
  CsvReader reader(file.text, file.separator, file.path);
  if (!reader.next_record()) throw DataError(file.path + ": holds nothing but blank lines");
  std::unordered_set<std::string> seen;
  while (!reader.record_ended()) {
    const std::string name(reader.field());
    if (name.empty()) {
      throw DataError(
          fmt::format("{}:{}: column {} has no name; write one into the header (pandas "
                      "and R write such a column for row names: index=False, "
                      "row.names=FALSE)",
                      file.path, reader.line(), file.header.size() + 1));
    }
    if (!seen.insert(name).second) {
      throw DataError(fmt::format("{}:{}: column {} occurs twice; rename one of them", file.path,
                                  reader.line(), in_quotes(name)));
    }
    file.header.push_back(name);
  }
  require_names(file, reader.line());
}

FileTable read_csv(const InputFile& file, const ReadOptions& options) {
  FileTable result;
  const std::vector<Role> roles = roles_of(file, options);
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (roles[j] == Role::value) result.table.columns.push_back(file.header[j]);
  }
  reserve(file, options, result.table);

  CsvReader reader(file.text, file.separator, file.path);
  reader.next_record();
  reader.skip_rest();
  while (reader.next_record()) read_record(reader, file, roles, result);
  if (result.lines.empty()) throw DataError(file.path + ": has a header but no samples");
  result.table.values.rows = length(result.lines);
  result.table.values.cols = length(result.table.columns);
  return result;
}

}  // namespace kernmix
