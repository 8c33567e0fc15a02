#include "data/csv/record_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "data/csv/label_spelling.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// A cell that is no number, in whatever notation, and no date or percentage.
bool is_word_cell(std::string_view text) {
  if (parse_number(text)) return false;
  const Fault fault = fault_of(text, Notations(text));
  return fault == Fault::word || fault == Fault::truth;
}

/// The columns, for "auto", with a word and without any number, date or percentage.
std::vector<bool> columns_of_words(const InputFile& file, const ReadOptions& options,
                                   const HeaderLine& header, const std::vector<Role>& roles) {
  std::vector<bool> words(roles.size(), false);
  if (!file.finds_words) return words;
  std::vector<bool> numbers(roles.size(), false);
  CsvReader reader(file.text, file.separator, file.path);
  skip_names(file, reader);
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
      if (roles[j] != Role::value || numbers[j] || is_missing_word(text, options)) continue;
      (is_word_cell(text) ? words : numbers)[j] = true;
    }
    reader.skip_rest();
  }
  for (std::size_t j = 0; j < roles.size(); ++j) {
    words[j] = words[j] && !numbers[j] && !file.categories.contains(file.header[j]);
  }
  return words;
}

}  // namespace

HeaderLine::HeaderLine(const InputFile& file) {
  if (file.numbered) return;
  CsvReader reader(file.text, file.separator, file.path);
  names_ = read_record(reader);
  const auto is_number = [](const CsvField& name) { return parse_number(name.text).has_value(); };
  numbers_ = std::ranges::all_of(names_, is_number);
}

RecordReader::RecordReader(const InputFile& file, const ReadOptions& options, CsvReading& result)
    : file_(file),
      options_(options),
      header_(file),
      roles_(roles_of(file, options)),
      codes_of_missing_(codes_of_missing(options)),
      flags_(file),
      result_(result) {
  result.missing.assign(roles_.size(), 0);
  skip_unnamed();
  const std::vector<bool> found = columns_of_words(file, options, header_, roles_);
  for (std::size_t j = 0; j < roles_.size(); ++j) add_column(j, found[j]);
  refuse_repeated_names();
}

void RecordReader::skip_unnamed() {
  for (const std::size_t j : file_.unnamed) {
    if (roles_[j] != Role::value) continue;
    roles_[j] = Role::skipped;
    if (options_.only.empty()) unnamed_.push_back(j);
  }
}

void RecordReader::add_column(std::size_t j, bool has_words) {
  const std::string& name = file_.header[j];
  const bool is_value = roles_[j] == Role::value;
  const auto asked = file_.words.find(name);
  open_.emplace_back();
  if (is_value && asked != file_.words.end()) {
    open_.back().emplace(asked->second);
  } else if (has_words) {
    open_.back().emplace(std::vector<std::string>());
  }
  const auto known = file_.categories.find(name);
  const bool words = is_value && !open_.back() && known != file_.categories.end();
  words_.push_back(words ? &known->second : nullptr);
  plain_.push_back(is_value && !words && !open_.back() ? 1 : 0);
  codes_.push_back(words ? codes_of(known->second) : Codes());
  if (words) result_.table.table.categories.push_back({name, known->second});
}

void RecordReader::read(CsvReader& reader) {
  if (!header_.is_repeated_by(reader)) return read_sample(reader);
  if (header_.may_be_sample()) {
    note_numbers_of_header(reader.line());
    return read_sample(reader);
  }
  result_.problems.add(Problems::whole_lines, Fault::header, reader.line(), "");
  reader.skip_rest();
}

void RecordReader::note_numbers_of_header(Index line) {
  std::vector<std::string>& notes = result_.table.table.notes;
  const std::string text = "has the same numbers as the header, and is read as a sample";
  const auto is_said = [&](const std::string& note) { return note.find(text) != note.npos; };
  if (std::ranges::any_of(notes, is_said)) return;
  notes.push_back(
      fmt::format("{}:{}: {}; remove the line if it repeats the header", file_.path, line, text));
}

void RecordReader::read_sample(CsvReader& reader) {
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

void RecordReader::finish() {
  Index place = 0;
  for (std::size_t j = 0; j < roles_.size(); ++j) {
    if (roles_[j] != Role::value) continue;
    if (open_[j]) finish_words(*open_[j], file_.header[j], place, result_.table.table);
    if (open_[j] && options_.only.empty()) {
      const std::string note = spellings_of(open_[j]->words(), spelled_categories, file_.header[j]);
      if (!note.empty()) result_.table.table.notes.push_back(file_.path + ": " + note);
    }
    ++place;
  }
  note_missing_words();
  const Index rows = result_.rows();
  for (std::size_t j = 0; j < roles_.size() && options_.only.empty(); ++j) {
    const ColumnFaults* const faults = result_.problems.of(j);
    const bool counted = faults != nullptr && (*faults)[Fault::missing].cells > 0;
    if (counted || roles_[j] != Role::value || rows < 2 || result_.missing[j] < rows) continue;
    result_.problems.add(j, Fault::missing, result_.table.lines.front(), "", rows);
  }
  for (std::size_t j = 0; j < roles_.size(); ++j) {
    result_.problems.note_missing(j, result_.missing[j]);
  }
  if (labels_are_numbers_ && !label_faults_.empty()) result_.problems.add(label_faults_);
}

bool RecordReader::is_code(double value) const {
  return !codes_of_missing_.empty() &&
         std::ranges::find(codes_of_missing_, value) != codes_of_missing_.end();
}

bool RecordReader::is_code(std::string_view text) const {
  return std::ranges::any_of(options_.na, [&](const auto& code) { return same_label(code, text); });
}

bool RecordReader::is_missing(std::size_t j, std::string_view text) const {
  if (!open_[j] && words_[j] == nullptr) return is_missing_cell(text, options_);
  if (!is_missing_word(text, options_)) return false;
  if (is_code(text)) return true;
  const std::string word(text);
  const auto known = file_.levels.find(file_.header[j]);
  const bool is_level = known != file_.levels.end() && known->second.contains(word);
  return !is_level && (words_[j] == nullptr || !codes_[j].contains(word));
}

void RecordReader::count_missing_word(std::size_t j, std::string_view text) {
  if (!open_[j] || remedy_of_name(text).empty() || is_code(text)) return;
  ++missing_words_[{j, std::string(text)}];
}

void RecordReader::note_missing_words() {
  constexpr std::size_t shown = 3;
  if (!options_.only.empty()) return;  // training told it
  std::size_t count = 0;
  for (const auto& [place, cells] : missing_words_) {
    if (count++ == shown) break;
    result_.table.table.notes.push_back(
        fmt::format("{}: {} cell{} {} of the column {} of words {} read as missing; {} reads {} as "
                    "a word",
                    file_.path, cells, cells == 1 ? "" : "s", in_quotes(place.second),
                    in_quotes(file_.header[place.first]), cells == 1 ? "is" : "are",
                    option_of_word(place.second), cells == 1 ? "it" : "them"));
  }
  if (count > shown) {
    result_.table.table.notes.push_back(
        fmt::format("{}: {} more texts in columns of words are read as missing", file_.path,
                    missing_words_.size() - shown));
  }
}

bool RecordReader::is_comma(std::string_view text) const {
  return is_decimal_comma(Notations(text), result_.problems.format().thousands);
}

void RecordReader::add(std::size_t j, Fault fault, Index line, std::string_view text) {
  result_.problems.add(j, fault, line, text);
}

void RecordReader::refuse_repeated_names() {
  for (const auto& [name, second] : file_.repeated) {
    if (name != options_.label_column && name != options_.id_column) continue;
    const auto column = std::ranges::find(file_.header, name) - file_.header.begin();
    result_.problems.add(to_size(column), Fault::repeated, 1, name);
  }
}

void RecordReader::leave_out(Index line, Index fields) {
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

void RecordReader::take(std::size_t j, std::string_view text, Index line) {
  Table& table = result_.table.table;
  if (roles_[j] == Role::value && is_missing(j, text)) {
    count_missing_word(j, text);
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
    if (is_missing_name(text, options_)) add(j, Fault::id, line, text);
    table.ids.emplace_back(text);
  } else if (!file_.watched.empty() && file_.watched.contains(file_.header[j])) {
    result_.table.watched[file_.header[j]].emplace_back(text);
  } else if (!unnamed_.empty() && !text.empty() && std::ranges::count(unnamed_, j) > 0) {
    add(j, Fault::unnamed, line, text);
  }
}

double RecordReader::missing(std::size_t j, Index line, std::string_view text) {
  ++result_.missing[j];
  const bool target = !file_.target_columns.empty() &&
                      std::ranges::count(file_.target_columns, file_.header[j]) > 0;
  if (!options_.keep_missing || target) add(j, Fault::missing, line, text);
  return kernmix::missing_cell;
}

double RecordReader::number(std::size_t j, std::string_view text, Index line) {
  const std::optional<double> number = parse_number(text, result_.problems.format());
  if (number) return is_code(*number) ? missing(j, line, text) : *number;
  const Fault fault = result_.problems.add_value(j, line, text);
  saw_decimal_comma_ = saw_decimal_comma_ || (fault == Fault::notation && is_comma(text));
  return kernmix::missing_cell;
}

std::string RecordReader::label(std::size_t j, std::string_view text, Index line) {
  // A class of the model may be called None; another text is told from its classes.
  const bool may_be_class = file_.of_model && !remedy_of_name(text).empty();
  if ((is_missing_name(text, options_) && !may_be_class) || is_code(text)) {
    add(j, Fault::label, line, text);
  }
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

unsigned char RecordReader::flag(std::size_t j, std::string_view text, Index line) {
  const Flag flag = flags_.look(j, text);
  if (flag == Flag::invalid) add(j, Fault::flag, line, text);
  if (flag == Flag::mixed) add(j, Fault::mixed_flag, line, text);
  return flag == Flag::yes ? 1 : 0;
}

}  // namespace kernmix
