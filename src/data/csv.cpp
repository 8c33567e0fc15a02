#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/text.hpp"
#include "data/csv/reading.hpp"
#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "data/words/word_columns.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using Codes = std::unordered_map<std::string, double>;

/// The header of a file, which files that were concatenated repeat.
class HeaderLine {
 public:
  /// Moves the reader behind the header.
  HeaderLine(const InputFile& file, CsvReader& reader) {
    if (file.numbered) return;
    names_ = read_record(reader);
    const auto is_number = [](const CsvField& name) { return parse_number(name.text).has_value(); };
    numbers_ = std::ranges::all_of(names_, is_number);
  }

  [[nodiscard]] bool is_repeated_by(const CsvReader& reader) const {
    return !names_.empty() && reader.repeats(names_);
  }
  /// Whether all names are numbers, so that a sample may have the same.
  [[nodiscard]] bool may_be_sample() const { return numbers_; }

 private:
  CsvRecord names_;
  bool numbers_ = false;
};

/// The columns, for "auto", with a word and without any number, date or percentage.
std::vector<bool> columns_of_words(const InputFile& file, const ReadOptions& options,
                                   const std::vector<Role>& roles) {
  std::vector<bool> words(roles.size(), false);
  if (!file.finds_words) return words;
  std::vector<bool> numbers(roles.size(), false);
  CsvReader reader(file.text, file.separator, file.path);
  const HeaderLine header(file, reader);
  while (reader.next_record()) {
    stop_reading_if_asked(file.path, options.context);
    const bool skipped = header.is_repeated_by(reader) && !header.may_be_sample();
    for (std::size_t j = 0; j < roles.size() && !skipped && !reader.record_ended(); ++j) {
      double value = 0.0;
      if (reader.number(value)) {
        numbers[j] = true;
        continue;
      }
      const std::string_view text = reader.field();
      if (roles[j] != Role::value || numbers[j] || is_missing_cell(text, options)) continue;
      const Fault fault = parse_number(text) ? Fault::notation : fault_of(text, Notations(text));
      (fault == Fault::word || fault == Fault::truth ? words : numbers)[j] = true;
    }
    reader.skip_rest();
  }
  for (std::size_t j = 0; j < roles.size(); ++j) {
    words[j] = words[j] && !numbers[j] && !file.categories.contains(file.header[j]);
  }
  return words;
}

/// Reads the fields of records, one role each, and collects their faults.
class RecordReader {
 public:
  RecordReader(const InputFile& file, const ReadOptions& options, CsvReading& result)
      : file_(file),
        options_(options),
        roles_(roles_of(file, options)),
        codes_of_missing_(codes_of_missing(options)),
        flags_(file),
        result_(result) {
    result.missing.assign(roles_.size(), 0);
    for (const std::size_t j : file.unnamed) {
      if (roles_[j] != Role::value) continue;
      roles_[j] = Role::skipped;
      if (options.only.empty()) unnamed_.push_back(j);
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
      plain_.push_back(roles_[j] == Role::value && !words && !open_.back() ? 1 : 0);
      codes_.push_back(words ? codes_of(known->second) : Codes());
      if (words) result.table.table.categories.push_back({file.header[j], known->second});
    }
    refuse_repeated_names();
  }

  [[nodiscard]] const std::vector<Role>& roles() const { return roles_; }

  void read(CsvReader& reader) {
    const Index line = reader.line();
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (reader.record_ended()) return leave_out(line, static_cast<Index>(j));
      double value = 0.0;
      if (plain_[j] != 0 && reader.number(value)) {
        if (is_code(value)) value = missing(j, line, fmt::format("{}", value));
        values().push_back(value);
      } else {
        take(j, reader.field(), line);
      }
    }
    if (!reader.record_ended()) return leave_out(line, length(roles_) + reader.skip_rest());
    result_.table.lines.push_back(line);
  }

  void skip_header(CsvReader& reader) {
    result_.problems.add(Problems::whole_lines, Fault::header, reader.line(), "");
    reader.skip_rest();
  }

  /// Puts the words of columns into order; finds columns without a value, and labels with decimal
  /// commas.
  void finish() {
    Index place = 0;
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (roles_[j] != Role::value) continue;
      if (open_[j]) finish_words(*open_[j], file_.header[j], place, result_.table.table);
      ++place;
    }
    const Index rows = result_.rows();
    for (std::size_t j = 0; j < roles_.size() && options_.only.empty(); ++j) {
      const ColumnFaults* const faults = result_.problems.of(j);
      const bool counted = faults != nullptr && (*faults)[Fault::missing].cells > 0;
      if (counted || roles_[j] != Role::value || rows < 2 || result_.missing[j] < rows) continue;
      result_.problems.add(j, Fault::missing, result_.table.lines.front(), "", rows);
    }
    if (labels_are_numbers_ && !label_faults_.empty()) result_.problems.add(label_faults_);
  }

  /// A comma that can only be a decimal mark was seen.
  [[nodiscard]] bool saw_decimal_comma() const { return saw_decimal_comma_; }

 private:
  Vector& values() { return result_.table.table.values.values; }

  [[nodiscard]] bool is_code(double value) const {
    return !codes_of_missing_.empty() &&
           std::ranges::find(codes_of_missing_, value) != codes_of_missing_.end();
  }
  [[nodiscard]] bool is_code(std::string_view text) const {
    return std::ranges::any_of(options_.na,
                               [&](const auto& code) { return same_label(code, text); });
  }

  void refuse_repeated_names() {
    for (const auto& [name, second] : file_.repeated) {
      if (name != options_.label_column && name != options_.id_column) continue;
      const auto column = std::ranges::find(file_.header, name) - file_.header.begin();
      result_.problems.add(to_size(column), Fault::repeated, 1, name);
    }
  }

  /// A record with another number of fields than the header.
  void leave_out(Index line, Index fields) {
    result_.problems.add(Problems::whole_lines, Fault::fields, line,
                         fmt::format("{} field{}", fields, fields == 1 ? "" : "s"));
    Table& table = result_.table.table;
    const std::size_t rows = result_.table.lines.size();
    values().resize(rows * table.columns.size());
    table.multi_labels.values.resize(rows * table.multi_labels.names.size());
    if (table.labels.size() > rows) table.labels.resize(rows);
    if (table.ids.size() > rows) table.ids.resize(rows);
    for (auto& [name, words] : result_.table.watched) words.resize(std::min(rows, words.size()));
  }

  void take(std::size_t j, std::string_view text, Index line) {
    Table& table = result_.table.table;
    if (roles_[j] == Role::value && is_missing_cell(text, options_)) {
      values().push_back(missing(j, line, text));
    } else if (open_[j]) {
      const std::string at = place(file_, line, file_.header[j]);
      values().push_back(open_[j]->number_of(std::string(text), at));
    } else if (words_[j] != nullptr) {
      values().push_back(
          code_of(file_, line, file_.header[j], std::string(text), codes_[j], *words_[j]));
    } else if (roles_[j] == Role::value) {
      values().push_back(number(j, text, line));
    } else if (roles_[j] == Role::label) {
      table.labels.push_back(label(j, text, line));
    } else if (roles_[j] == Role::flag) {
      table.multi_labels.values.push_back(flag(j, text, line));
    } else if (roles_[j] == Role::id) {
      if (is_missing_name(text)) add(j, Fault::id, line, text);
      table.ids.emplace_back(text);
    } else if (!file_.watched.empty() && file_.watched.contains(file_.header[j])) {
      result_.table.watched[file_.header[j]].emplace_back(text);
    } else if (!unnamed_.empty() && !text.empty() && std::ranges::count(unnamed_, j) > 0) {
      add(j, Fault::unnamed, line, text);
    }
  }

  void add(std::size_t j, Fault fault, Index line, std::string_view text) {
    result_.problems.add(j, fault, line, text);
  }

  /// NaN; a fault unless missing cells are kept. Targets are never missing.
  double missing(std::size_t j, Index line, std::string_view text) {
    ++result_.missing[j];
    const bool target = !file_.target_columns.empty() &&
                        std::ranges::count(file_.target_columns, file_.header[j]) > 0;
    if (!options_.keep_missing || target) add(j, Fault::missing, line, text);
    return kernmix::missing_cell;
  }

  double number(std::size_t j, std::string_view text, Index line) {
    const std::optional<double> number = parse_number(text, result_.problems.format());
    if (number) return is_code(*number) ? missing(j, line, text) : *number;
    const Fault fault = result_.problems.add_value(j, line, text);
    saw_decimal_comma_ = saw_decimal_comma_ || (fault == Fault::notation && is_comma(text));
    return kernmix::missing_cell;
  }

  [[nodiscard]] bool is_comma(std::string_view text) const {
    return is_decimal_comma(Notations(text), result_.problems.format().thousands);
  }

  /// The label; numbers in another notation become plain.
  std::string label(std::size_t j, std::string_view text, Index line) {
    if (is_missing_name(text) || is_code(text)) add(j, Fault::label, line, text);
    if (parse_number(text)) {
      const NumberFormat format = result_.problems.format();
      if (!parse_number(text, format)) result_.problems.add_value(j, line, text);
      return std::string(text);
    }
    if (const auto number = parse_number(text, result_.problems.format())) {
      return fmt::format("{}", *number);
    }
    labels_are_numbers_ = labels_are_numbers_ && !Notations(text).empty();
    if (labels_are_numbers_) label_faults_.add_value(j, line, text);
    return std::string(text);
  }

  unsigned char flag(std::size_t j, std::string_view text, Index line) {
    const Flag flag = flags_.look(j, text);
    if (flag == Flag::invalid) add(j, Fault::flag, line, text);
    if (flag == Flag::mixed) add(j, Fault::mixed_flag, line, text);
    return flag == Flag::yes ? 1 : 0;
  }

  const InputFile& file_;
  const ReadOptions& options_;
  std::vector<Role> roles_;
  std::vector<char> plain_;                             ///< columns of numbers
  Vector codes_of_missing_;                             ///< ReadOptions::na that are numbers
  std::vector<std::optional<WordColumn>> open_;         ///< words that are numbered as they occur
  std::vector<const std::vector<std::string>*> words_;  ///< of columns that hold words, or null
  std::vector<Codes> codes_;                            ///< of these words
  std::vector<std::size_t> unnamed_;                    ///< columns that must be empty
  FlagReader flags_;
  CsvReading& result_;
  Problems label_faults_{NumberFormat()};  ///< labels that are numbers in another notation
  bool labels_are_numbers_ = true;
  bool saw_decimal_comma_ = false;
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

/// What was recognised while the samples were read.
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

/// A sample with the numbers of the header, which is only said of the first one.
void note_numbers_of_header(const InputFile& file, Index line, CsvReading& reading) {
  std::vector<std::string>& notes = reading.table.table.notes;
  const std::string text = "has the same numbers as the header, and is read as a sample";
  const auto is_said = [&](const std::string& note) { return note.find(text) != note.npos; };
  if (std::ranges::any_of(notes, is_said)) return;
  notes.push_back(
      fmt::format("{}:{}: {}; remove the line if it repeats the header", file.path, line, text));
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
  const HeaderLine header(file, reader);
  while (reader.next_record()) {
    stop_reading_if_asked(file.path, options.context);
    if (header.is_repeated_by(reader)) {
      if (!header.may_be_sample()) {
        records.skip_header(reader);
        continue;
      }
      note_numbers_of_header(file, reader.line(), result);
    }
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
  if (reading->problems.format().decimal == ',' && options.decimal == '\0') {
    reading->table.table.notes.push_back(file.path + ": numbers are read with decimal commas");
  }
  return std::move(*reading);
}

FileTable read_csv(const InputFile& file, const ReadOptions& options) {
  CsvReading reading = read_samples(file, options);
  if (!reading.problems.empty()) refuse_problems(reading.problems, file, options, reading.rows());
  if (reading.rows() == 0) throw DataError(file.path + ": has a header but no samples");
  return std::move(reading.table);
}

}  // namespace kernmix
