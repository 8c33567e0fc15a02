#include "data/csv/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.hpp"
#include "data/csv/remedies.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The shape of a text: every run of digits is one 0, and letters are kept.
std::string shape_of(std::string_view text) {
  std::string shape;
  for (const char c : text) {
    if (!is_decimal_digit(c)) {
      shape += c;
    } else if (shape.empty() || shape.back() != '0') {
      shape += '0';
    }
  }
  return shape;
}

bool is_date(std::string_view text) {
  if (text.empty() || text.size() > 40 || !is_decimal_digit(text.front())) return false;
  const std::string shape = shape_of(text);
  const auto begins = [&](std::string_view pattern) {
    return shape == pattern || (shape.starts_with(pattern) && shape.size() > pattern.size() &&
                                (shape[pattern.size()] == ' ' || shape[pattern.size()] == 'T'));
  };
  return begins("0-0-0") || begins("0.0.0") || begins("0/0/0") || shape == "0:0" ||
         shape == "0:0:0" || shape == "0:0:0.0";
}

/// The numbers of the beginning 13/03/2004 of a text; the last ones are 0 if there are fewer.
std::array<Index, 3> leading_numbers(std::string_view text) {
  std::array<Index, 3> numbers = {};
  std::size_t place = 0;
  for (const char c : text.substr(0, 20)) {
    if (is_decimal_digit(c)) {
      numbers.at(place) = std::min<Index>(10 * numbers.at(place) + (c - '0'), 9999);
    } else if (++place == numbers.size()) {
      break;
    }
  }
  return numbers;
}

constexpr Index months = 12;

/// 18.00.00, a time of day with points.
bool is_time_with_points(std::string_view text) {
  if (text.size() > 8 || shape_of(text) != "0.0.0") return false;
  const auto [hour, minute, second] = leading_numbers(text);
  return text.size() >= 7 && text.at(text.size() - 3) == '.' && hour < 24 && minute < 60 &&
         second < 60;
}

bool is_truth_value(std::string_view text) {
  const std::string word = lowercase(text);
  return word == "true" || word == "false";
}

}  // namespace

void DateOrders::add(std::string_view cell) {
  cell = trim(cell);
  const std::string shape = shape_of(cell);
  const auto [first, second, third] = leading_numbers(cell);
  const bool year_first = cell.find_first_of("./-") > 2;
  if (!is_time_with_points(cell)) all_times = false;
  if (year_first || shape.find(':') == 1) return;
  day_first = day_first || first > months;
  month_first = month_first || second > months;
  no_date = no_date || first == 0 || second == 0 || std::min(first, second) > months;
}

void DateOrders::add(const DateOrders& others) {
  day_first = day_first || others.day_first;
  month_first = month_first || others.month_first;
  all_times = all_times && others.all_times;
  no_date = no_date || others.no_date;
}

Fault fault_of(std::string_view cell, Notations notations) {
  if (!notations.empty()) return Fault::notation;
  cell = trim(cell);
  if (cell.ends_with('%')) {
    const std::string_view number = trim(cell.substr(0, cell.size() - 1));
    if (parse_number(number) || !Notations(number).empty()) return Fault::percent;
  }
  if (is_date(cell)) return Fault::date;
  if (find_mark(cell).kind != Mark::none) return Fault::marked;
  return is_truth_value(cell) ? Fault::truth : Fault::word;
}

void Problems::add(std::size_t column, Fault fault, Index line, std::string_view cell,
                   Index cells) {
  constexpr std::size_t shown = 60;
  ColumnFaults& faults = columns_[column];
  FaultCount& count = faults.of[static_cast<std::size_t>(fault)];
  if (count.cells == 0) {
    count.line = line;
    count.example = cell.substr(0, shown);
  }
  count.cells += cells;
  cells_ += cells;
  if (fault == Fault::word && faults.words.size() < ColumnFaults::most_words) {
    faults.words.insert(std::hash<std::string_view>()(cell));
  }
}

Fault Problems::add_value(std::size_t column, Index line, std::string_view cell) {
  const Notations notations(cell);
  const Fault fault = fault_of(cell, notations);
  add(column, fault, line, cell);
  if (fault == Fault::date) columns_[column].orders.add(cell);
  if (fault == Fault::marked) {
    const std::string number = find_mark(cell).number;
    if (!parse_number(number)) columns_[column].notations.intersect(Notations(number));
  }
  if (fault != Fault::notation) return fault;
  columns_[column].notations.intersect(notations);
  notations_.intersect(notations);
  any_notation_ = true;
  return fault;
}

void Problems::note_missing(std::size_t column, Index cells) {
  const auto found = columns_.find(column);
  if (found != columns_.end()) found->second.missing = cells;
}

void Problems::add(const Problems& others) {
  for (const auto& [column, faults] : others.columns_) {
    for (std::size_t k = 0; k < fault_kinds; ++k) {
      const FaultCount& count = faults.of[k];
      if (count.cells > 0) {
        add(column, static_cast<Fault>(k), count.line, count.example, count.cells);
      }
    }
    columns_[column].notations.intersect(faults.notations);
    columns_[column].orders.add(faults.orders);
  }
  notations_.intersect(others.notations_);
  any_notation_ = any_notation_ || others.any_notation_;
}

const ColumnFaults* Problems::of(std::size_t column) const {
  const auto found = columns_.find(column);
  return found == columns_.end() ? nullptr : &found->second;
}

namespace {

/// A line with a word, or no value, in every column of numbers.
struct LineOfWords {
  Index line = 0;
  std::size_t first = 0;  ///< the first column with a word
};

/// The columns that are read as numbers.
std::vector<std::size_t> columns_of_values(const FaultyFile& of) {
  std::vector<std::size_t> columns;
  const std::vector<Role> roles = roles_of(of.file, of.options);
  for (std::size_t j = of.file.row_names ? 1 : 0; j < roles.size(); ++j) {
    const bool unnamed = std::ranges::count(of.file.unnamed, j) > 0;
    if (roles[j] == Role::value && !unnamed) columns.push_back(j);
  }
  return columns;
}

/// The only such line of the file, as units and second names are.
std::optional<LineOfWords> line_of_words(const FaultyFile& of) {
  if (of.file.numbered || of.file.of_model) return std::nullopt;
  LineOfWords found;
  std::size_t words = 0;
  const auto only_word = [&](const ColumnFaults* faults) {
    return faults != nullptr && (*faults)[Fault::word].cells == 1 && of.rows - faults->missing > 1;
  };
  const std::vector<std::size_t> columns = columns_of_values(of);
  for (const std::size_t j : columns) {
    const ColumnFaults* const faults = of.problems.of(j);
    if (only_word(faults) && words++ == 0) found = {(*faults)[Fault::word].line, j};
  }
  if (words < 2) return std::nullopt;
  const auto has_number = [&](std::size_t j) {
    const ColumnFaults* const faults = of.problems.of(j);
    if (only_word(faults)) return (*faults)[Fault::word].line != found.line;
    if (faults != nullptr && (*faults)[Fault::word].cells > 0) return false;  // a column of words
    return faults == nullptr || (*faults)[Fault::missing].line != found.line;
  };
  if (std::ranges::any_of(columns, has_number)) return std::nullopt;
  return found;
}

}  // namespace

std::vector<TableProblem> describe(const Problems& problems, const InputFile& file,
                                   const ReadOptions& options, Index rows) {
  const FaultyFile of{problems, file, options, rows};
  std::vector<TableProblem> all;
  const std::optional<LineOfWords> line = line_of_words(of);
  if (line) {
    const std::string& word = (*problems.of(line->first))[Fault::word].example;
    all.push_back(describe_line_of_words(of, line->line, word));
  }
  for (const auto& [column, faults] : problems.columns()) {
    for (std::size_t k = 0; k < fault_kinds; ++k) {
      const FaultCount& count = faults.of[k];
      const auto fault = static_cast<Fault>(k);
      const bool told = line && count.cells == 1 && count.line == line->line &&
                        (fault == Fault::word || fault == Fault::missing);
      if (count.cells == 0 || told) continue;
      all.push_back(describe_fault(of, column, faults, fault));
    }
  }
  std::ranges::stable_sort(all, {}, &TableProblem::line);
  return all;
}

namespace {

/// "FILE:3: column 'a': the field is empty (4 cells); ..." without the file.
std::string sentence_of(const TableProblem& problem) {
  const bool lines = problem.column.empty();
  const std::string count =
      problem.cells > 1 ? fmt::format(" ({} {})", problem.cells, lines ? "lines" : "cells") : "";
  return fmt::format("{}{}{}{}{}",
                     lines ? "" : fmt::format("column {}: ", in_quotes(problem.column)),
                     problem.fault, count, problem.remedy.empty() ? "" : "; ", problem.remedy);
}

/// ", 12 missing cells in 3 columns", or "" if one column or none has them.
std::string missing_text(const Problems& problems) {
  Index columns = 0;
  Index cells = 0;
  for (const auto& [column, faults] : problems.columns()) {
    columns += faults[Fault::missing].cells > 0 ? 1 : 0;
    cells += faults[Fault::missing].cells;
  }
  return columns < 2 ? "" : fmt::format(", {} missing cells in {} columns", cells, columns);
}

/// The command that lists all problems, with the options that were given.
std::string inspect_command(const InputFile& file, const ReadOptions& options) {
  std::string command =
      "kernmix inspect " + (file.path == standard_input ? "-" : shell_word(file.path));
  const auto add = [&](const char* option, const std::string& text) {
    if (!text.empty()) command += fmt::format(" {} {}", option, shell_word(text));
  };
  const auto add_all = [&](const char* option, const std::vector<std::string>& items) {
    for (const std::string& item : items) add(option, list_item(item));
  };
  const auto mark = [](char c) { return c == '\0' ? std::string() : std::string(1, c); };
  if (options.label_called == ReadOptions().label_called) add("--label", options.label_column);
  add_all("--labels", options.label_columns);
  add("--id", options.id_column);
  add_all("--ignore", options.ignore);
  if (options.format != FileFormat::automatic) add("--format", file_format_name(options.format));
  if (!options.header) command += " --no-header";
  add("--decimal", mark(options.decimal));
  add("--thousands", mark(options.thousands));
  add_all("--na", options.na);
  add_all("--categorical", options.categorical);
  return command;
}

}  // namespace

void refuse_problems(const Problems& found, const InputFile& file, const ReadOptions& options,
                     Index rows) {
  const std::vector<TableProblem> problems = describe(found, file, options, rows);
  const auto at = [](Index line) { return line > 0 ? fmt::format(":{}", line) : std::string(); };
  if (problems.size() == 1) {
    throw DataError(
        fmt::format("{}{}: {}", file.path, at(problems[0].line), sentence_of(problems[0])));
  }
  constexpr std::size_t shown = 3;
  std::string text =
      fmt::format("{}: {} problems{}{}", file.path, problems.size(), missing_text(found),
                  problems.size() > shown ? "; the first three are" : "");
  for (std::size_t k = 0; k < std::min(shown, problems.size()); ++k) {
    text += fmt::format("\n  line {}: {}", problems[k].line, sentence_of(problems[k]));
  }
  throw DataError(
      fmt::format("{}\n`{}` lists all problems of the file", text, inspect_command(file, options)));
}

}  // namespace kernmix
