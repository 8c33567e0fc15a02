#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "data/words/word_columns.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// A field of a record, and whether it was quoted.
struct CsvField {
  std::string text;
  bool quoted;
};

/// The next record; empty at the end of the text.
std::vector<CsvField> read_fields(CsvReader& reader) {
  std::vector<CsvField> fields;
  if (!reader.next_record()) return fields;
  while (!reader.record_ended()) {
    std::string text(reader.field());
    fields.push_back({std::move(text), reader.quoted()});
  }
  return fields;
}

/// Whether numbers are plausible column names: counted, as by pandas, or equally spaced, as
/// wavelengths and years. Two numbers are only plausible if they start the count.
bool count_columns(const std::vector<double>& numbers) {
  const std::size_t n = numbers.size();
  if (n == 1) return false;
  const double step = numbers[1] - numbers[0];
  if (n == 2) return step == 1.0 && (numbers[0] == 0.0 || numbers[0] == 1.0);
  if (!(step > 0.0)) return false;
  for (std::size_t j = 2; j < n; ++j) {
    const double expected = numbers[0] + static_cast<double>(j) * step;
    if (std::abs(numbers[j] - expected) > 1e-6 * step) return false;
  }
  return true;
}

/// A header of numbers in the same format as the fields below is a first sample, unless it counts
/// the columns.
void require_names(const InputFile& file, Index line, const std::vector<CsvField>& names,
                   const std::vector<CsvField>& below) {
  std::vector<double> numbers;
  std::size_t first = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::optional<double> number = parse_number(names[j].text);
    if (!number) continue;
    const bool known = j < below.size();
    if (known && (names[j].quoted != below[j].quoted || !parse_number(below[j].text))) continue;
    if (numbers.empty()) first = j;
    numbers.push_back(*number);
  }
  if (numbers.empty() || count_columns(numbers)) return;
  throw DataError(
      fmt::format("{}:{}: the name of column {} is the number {}, so this line looks like a "
                  "sample; use --no-header if it is one, otherwise quote names that are numbers",
                  file.path, line, first + 1, names[first].text));
}

[[noreturn]] void refuse_ragged(const InputFile& file, Index line, Index fields) {
  throw DataError(fmt::format("{}:{}: {} field{} where the header has {}", file.path, line, fields,
                              fields == 1 ? "" : "s", file.header.size()));
}

/// The columns, for "auto", with a word and without any number.
std::vector<bool> columns_of_words(const InputFile& file, const ReadOptions& options,
                                   const std::vector<Role>& roles) {
  std::vector<bool> words(roles.size(), false);
  if (!file.finds_words) return words;
  std::vector<bool> numbers(roles.size(), false);
  CsvReader reader(file.text, file.separator, file.path);
  if (!file.numbered) {
    reader.next_record();
    reader.skip_rest();
  }
  while (reader.next_record()) {
    stop_reading_if_asked(file.path, options.context);
    for (std::size_t j = 0; j < roles.size() && !reader.record_ended(); ++j) {
      double value = 0.0;
      if (reader.number(value)) {
        numbers[j] = true;
        continue;
      }
      const std::string_view text = reader.field();
      if (is_missing_cell(text, options)) continue;
      (parse_number(text) ? numbers : words)[j] = true;
    }
    reader.skip_rest();
  }
  for (std::size_t j = 0; j < roles.size(); ++j) {
    words[j] = words[j] && !numbers[j] && roles[j] == Role::value &&
               !file.categories.contains(file.header[j]);
  }
  return words;
}

using Codes = std::unordered_map<std::string, double>;

/// Reads the fields of records, one role each.
class RecordReader {
 public:
  RecordReader(const InputFile& file, const ReadOptions& options, FileTable& result)
      : file_(file),
        options_(options),
        roles_(roles_of(file, options)),
        flags_(file),
        result_(result) {
    for (const std::string& code : options.na) {
      if (const auto number = parse_number(code)) codes_of_missing_.push_back(*number);
    }
    const std::vector<bool> found = columns_of_words(file, options, roles_);
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      const auto asked = file.words.find(file.header[j]);
      open_.emplace_back();
      if (roles_[j] == Role::value && asked != file.words.end()) {
        open_.back().emplace(asked->second);
      } else if (found[j]) {
        open_.back().emplace(std::vector<std::string>());
      }
      const auto known = file.categories.find(file.header[j]);
      const bool words =
          roles_[j] == Role::value && !open_.back() && known != file.categories.end();
      words_.push_back(words ? &known->second : nullptr);
      codes_.push_back(words ? codes_of(known->second) : Codes());
      if (words) result.table.categories.push_back({file.header[j], known->second});
    }
  }

  [[nodiscard]] const std::vector<Role>& roles() const { return roles_; }

  void read(CsvReader& reader) {
    const Index line = reader.line();
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (reader.record_ended()) refuse_ragged(file_, line, static_cast<Index>(j));
      double value = 0.0;
      const bool number = roles_[j] == Role::value && words_[j] == nullptr && !open_[j];
      if (number && reader.number(value)) {
        if (std::ranges::find(codes_of_missing_, value) == codes_of_missing_.end()) {
          result_.table.values.values.push_back(value);
        } else {
          take_missing(file_.header[j], fmt::format("{}", value), line);
        }
      } else {
        take(j, reader.field(), line);
      }
    }
    if (!reader.record_ended()) refuse_ragged(file_, line, length(roles_) + reader.skip_rest());
    result_.lines.push_back(line);
  }

  /// Puts the words of columns into order.
  void finish() {
    Index place = 0;
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (roles_[j] != Role::value) continue;
      if (open_[j]) finish_words(*open_[j], file_.header[j], place, result_.table);
      ++place;
    }
  }

 private:
  void take_missing(const std::string& column, std::string_view text, Index line) {
    if (!options_.keep_missing) refuse_missing(file_, line, column, text);
    result_.table.values.values.push_back(missing_cell);
  }

  void take(std::size_t j, std::string_view text, Index line) {
    Table& table = result_.table;
    const std::string& column = file_.header[j];
    if (roles_[j] == Role::value && is_missing_cell(text, options_)) {
      take_missing(column, text, line);
    } else if (open_[j]) {
      const std::string at = place(file_, line, column);
      table.values.values.push_back(open_[j]->number_of(std::string(text), at));
    } else if (words_[j] != nullptr) {
      const std::string word(text);
      table.values.values.push_back(code_of(file_, line, column, word, codes_[j], *words_[j]));
    } else if (roles_[j] == Role::value) {
      const std::optional<double> number = parse_number(text);
      if (!number) refuse_value(file_, line, column, text);
      table.values.values.push_back(*number);
    } else if (roles_[j] == Role::label) {
      require_name(file_, line, column, text, file_.label_called);
      table.labels.emplace_back(text);
    } else if (roles_[j] == Role::flag) {
      table.multi_labels.values.push_back(flags_.read(j, text, line));
    } else if (roles_[j] == Role::id) {
      require_name(file_, line, column, text, "sample id");
      table.ids.emplace_back(text);
    } else if (!file_.watched.empty() && file_.watched.contains(column)) {
      result_.watched[column].emplace_back(text);
    }
  }

  const InputFile& file_;
  const ReadOptions& options_;
  std::vector<Role> roles_;
  Vector codes_of_missing_;                             ///< ReadOptions::na that are numbers
  std::vector<std::optional<WordColumn>> open_;         ///< words that are numbered as they occur
  std::vector<const std::vector<std::string>*> words_;  ///< of columns that hold words, or null
  std::vector<Codes> codes_;                            ///< of these words
  FlagReader flags_;
  FileTable& result_;
};

/// Reserves memory for one sample on each line, but not for more than the text can contain: a
/// number and its separator have two bytes.
void reserve(const InputFile& file, const ReadOptions& options, FileTable& result) {
  Table& table = result.table;
  const Index lines = std::count(file.text.begin(), file.text.end(), '\n') + 1;
  const Index columns = length(table.columns);
  const Index most = length(file.text) / (2 * std::max<Index>(columns, 1)) + 1;
  const Index rows = std::min(lines, most);
  const std::size_t texts =
      (options.label_column.empty() ? 0 : 1) + (options.id_column.empty() ? 0 : 1);
  const std::size_t each = sizeof(Index) + texts * sizeof(std::string);
  require_table_memory(file.path, rows, columns, options.context.memory_bytes,
                       file.text.size() + to_size(rows) * each);
  table.values.values.reserve(to_size(rows * columns));
  if (!options.label_column.empty()) table.labels.reserve(to_size(rows));
  if (!options.id_column.empty()) table.ids.reserve(to_size(rows));
  result.lines.reserve(to_size(rows));
}

}  // namespace

void read_csv_header(InputFile& file, bool has_header) {
  file.separator = file.format == FileFormat::tsv ? '\t' : detect_separator(file.text, ",;\t");
  CsvReader reader(file.text, file.separator, file.path);
  const std::vector<CsvField> names = read_fields(reader);
  if (names.empty()) throw DataError(file.path + ": has only blank lines");
  if (!has_header) {
    file.numbered = true;
    file.header = numbered_columns(length(names));
    return;
  }
  const Index line = reader.line();
  require_names(file, line, names, read_fields(reader));
  std::unordered_set<std::string> seen;
  for (const CsvField& name : names) {
    if (name.text.empty()) {
      throw DataError(
          fmt::format("{}:{}: column {} has no name; write one into the header (pandas "
                      "and R write such a column for row names: index=False, "
                      "row.names=FALSE)",
                      file.path, line, file.header.size() + 1));
    }
    if (!seen.insert(name.text).second) {
      throw DataError(fmt::format("{}:{}: column {} occurs twice; rename one of them", file.path,
                                  line, in_quotes(name.text)));
    }
    file.header.push_back(name.text);
  }
}

FileTable read_csv(const InputFile& file, const ReadOptions& options) {
  FileTable result;
  RecordReader records(file, options, result);
  name_by_role(file, records.roles(), result.table);
  reserve(file, options, result);

  CsvReader reader(file.text, file.separator, file.path);
  if (!file.numbered) {
    reader.next_record();
    reader.skip_rest();
  }
  while (reader.next_record()) {
    stop_reading_if_asked(file.path, options.context);
    records.read(reader);
  }
  if (result.lines.empty()) throw DataError(file.path + ": has a header but no samples");
  result.table.values.rows = length(result.lines);
  result.table.values.cols = length(result.table.columns);
  records.finish();
  return result;
}

}  // namespace kernmix
