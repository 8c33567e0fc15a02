#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"
#include "text.hpp"

namespace kernmix {
namespace {

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

[[noreturn]] void refuse_ragged(const InputFile& file, Index line, Index fields) {
  throw DataError(fmt::format("{}:{}: {} field{} where the header has {}", file.path, line, fields,
                              fields == 1 ? "" : "s", file.header.size()));
}

/// Reads the fields of records, one role each.
class RecordReader {
 public:
  RecordReader(const InputFile& file, const ReadOptions& options, FileTable& result)
      : file_(file), roles_(roles_of(file, options)), flags_(file), result_(result) {}

  [[nodiscard]] const std::vector<Role>& roles() const { return roles_; }

  void read(CsvReader& reader) {
    const Index line = reader.line();
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (reader.record_ended()) refuse_ragged(file_, line, static_cast<Index>(j));
      double value = 0.0;
      if (roles_[j] == Role::value && reader.number(value)) {
        result_.table.values.values.push_back(value);
      } else {
        take(j, reader.field(), line);
      }
    }
    if (!reader.record_ended()) refuse_ragged(file_, line, length(roles_) + reader.skip_rest());
    result_.lines.push_back(line);
  }

 private:
  void take(std::size_t j, std::string_view text, Index line) {
    Table& table = result_.table;
    const std::string& column = file_.header[j];
    if (roles_[j] == Role::value) {
      const std::optional<double> number = parse_number(text);
      if (!number) refuse_value(file_, line, column, text);
      table.values.values.push_back(*number);
    } else if (roles_[j] == Role::label) {
      require_name(file_, line, column, text, "label");
      table.labels.emplace_back(text);
    } else if (roles_[j] == Role::flag) {
      table.multi_labels.values.push_back(flags_.read(j, text, line));
    } else if (roles_[j] == Role::id) {
      require_name(file_, line, column, text, "sample id");
      table.ids.emplace_back(text);
    }
  }

  const InputFile& file_;
  std::vector<Role> roles_;
  FlagReader flags_;
  FileTable& result_;
};

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
  RecordReader records(file, options, result);
  name_by_role(file, records.roles(), result.table);
  reserve(file, options, result.table);

  CsvReader reader(file.text, file.separator, file.path);
  reader.next_record();
  reader.skip_rest();
  while (reader.next_record()) records.read(reader);
  if (result.lines.empty()) throw DataError(file.path + ": has a header but no samples");
  result.table.values.rows = length(result.lines);
  result.table.values.cols = length(result.table.columns);
  return result;
}

}  // namespace kernmix
