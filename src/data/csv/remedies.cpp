#include "data/csv/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "data/csv/recipe.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The options that set this notation, without those that are given.
std::string notation_options(NumberFormat format, const ReadOptions& given) {
  std::string text;
  if (format.decimal == ',' && given.decimal == '\0') text = "--decimal ,";
  if (format.thousands != '\0' && given.thousands == '\0') {
    text += text.empty() ? "" : " ";
    text += "--thousands " + shell_word(std::string(1, format.thousands));
  }
  return text;
}

/// "leave the column out with --ignore a, or "
std::string leave_out(const TableProblem& problem) {
  return fmt::format("leave the column out with --ignore {}, or ",
                     shell_word(list_item(problem.column)));
}

void describe_notation(const FaultyFile& of, const ColumnFaults& faults, TableProblem& problem) {
  const std::string cell = in_quotes(problem.example);
  const ReadOptions& options = of.options;
  const auto readable = of.problems.better;
  const Notations common = of.problems.notations();
  const bool free = options.decimal == '\0';
  if (!readable && free && is_either(common, options.thousands)) {
    problem.fault = fmt::format("{} may have a thousands separator or a decimal comma", cell);
    problem.remedy = fmt::format("--thousands , reads it as {}, --decimal , as {}",
                                 *parse_number(problem.example, {'.', ','}),
                                 *parse_number(problem.example, {',', '\0'}));
    return;
  }
  const std::vector<NumberFormat> formats = faults.notations.formats();
  const NumberFormat own = readable          ? *readable
                           : formats.empty() ? NumberFormat()
                                             : formats.front();
  const bool groups =
      own.thousands != '\0' && problem.example.find(own.thousands) != std::string::npos;
  const bool comma = own.decimal == ',' && problem.example.find(',') != std::string::npos;
  problem.fault = cell + (comma && groups ? " has a decimal comma and thousands separators"
                          : comma         ? " has a decimal comma"
                          : groups        ? " has thousands separators"
                                          : " is written in another notation than other numbers");
  if (readable) {
    problem.remedy = "read the file with " + notation_options(*readable, options);
  } else if (own == NumberFormat()) {
    problem.remedy = "write all numbers of the column with a decimal point and without groups";
  } else {
    problem.fault += ", unlike other columns";
    problem.remedy = leave_out(problem) + "rewrite it: " + recipe("numbers");
  }
}

void describe_missing(const FaultyFile& of, TableProblem& problem) {
  const bool predicting = !of.options.only.empty() || of.file.of_model;
  if (problem.cells >= of.rows && of.rows > 1 && !predicting) {
    problem.fault = "the column has no value in any row";
    problem.remedy = "leave it out with --ignore " + shell_word(list_item(problem.column));
    return;
  }
  problem.fault = problem.example.empty() ? "the field is empty"
                                          : in_quotes(problem.example) + " is a missing value";
  const bool target = std::ranges::count(of.file.target_columns, problem.column) > 0;
  problem.remedy = target ? "fill it in, remove the sample, or leave the column out with --ignore"
                          : remedy_of_missing(predicting);
  const bool words = of.file.words.contains(problem.column) || of.file.finds_words;
  if (words && !target) problem.remedy += remedy_of_name(problem.example);
}

/// What the dates of a column say about the order of day and month.
std::string order_text(const DateOrders& orders, std::string_view date) {
  if (date.find_first_of("./-") > 2) return "";  // the year comes first
  if (orders.day_first && orders.month_first) {
    return "; the day comes first in some dates of the column, and the month in others";
  }
  if (orders.day_first) return " with the day first";
  if (orders.month_first) return " with the month first";
  return date.find('.') < 3 ? "" : "; the order of day and month is not certain";
}

void describe_date(const ColumnFaults& faults, TableProblem& problem) {
  const std::string& text = problem.example;
  const DateOrders& orders = faults.orders;
  const bool is_time = text.find(':') < 3 || (orders.all_times && orders.no_date);
  const bool either = !is_time && orders.all_times;
  problem.fault = in_quotes(text) + (is_time  ? " is a time"
                                     : either ? " is a date or a time"
                                              : " is a date" + order_text(orders, text));
  problem.remedy =
      leave_out(problem) + fmt::format("turn it into {}: {}", is_time ? "seconds" : "days",
                                       recipe(is_time ? "times" : "dates"));
  if (either) problem.remedy += " or 'times'";
}

void describe_percent(TableProblem& problem) {
  problem.fault = in_quotes(problem.example) + " is a percentage";
  problem.remedy = leave_out(problem) + "remove the sign: " + recipe("units");
}

/// What is said of a number with this mark.
const char* text_of(Mark mark) {
  switch (mark) {
    case Mark::currency:
      return " is an amount of money";
    case Mark::parentheses:
      return " is a number in parentheses, as accountants write negative ones";
    case Mark::exponent:
      return " has an exponent of Fortran";
    default:
      return " is a number with a unit";
  }
}

void describe_marked(const ColumnFaults& faults, TableProblem& problem) {
  const Mark mark = find_mark(problem.example).kind;
  problem.fault = in_quotes(problem.example) + text_of(mark);
  problem.remedy = leave_out(problem) + "turn it into plain numbers: " +
                   recipe(mark == Mark::exponent ? "numbers" : "units");
  if (!faults.notations.is_all() && is_either(faults.notations, '\0')) {
    problem.remedy += ", which asks whether commas separate thousands or are decimal marks";
  }
}

/// The remedy for some words in a column with other values. \param words  they are the most
std::string remedy_among_others(const TableProblem& problem, const std::string& item, bool words) {
  const bool one = problem.cells == 1;
  const bool comma = problem.example.find(',') != std::string::npos;  // which separates items
  return fmt::format(
      "correct {}, read {} as {} (--na {} --missing mean){}, or leave the column out with "
      "--ignore {}",
      one ? "the cell" : "these cells", one ? "it" : "them",
      one ? "a missing value" : "missing values",
      shell_word(comma ? '"' + problem.example + '"' : problem.example),
      words ? fmt::format(", read all cells as words (--categorical {})", item) : "", item);
}

/// The remedy for a column of two or more words depends on how many different ones it has.
std::string remedy_of_words(const FaultyFile& of, const ColumnFaults& faults,
                            const TableProblem& problem, const std::string& item) {
  const std::string name = shell_word(problem.column);
  const Index different = length(faults.words);
  const bool uncounted = faults.words.size() == ColumnFaults::most_words;
  if (uncounted || different == problem.cells) {
    return fmt::format(
        "name the column with --id {} if it names the samples, or leave it out with --ignore {}",
        name, item);
  }
  if (problem.cells > 2 && 2 * different > problem.cells) {
    return fmt::format(
        "leave the column out with --ignore {}; --id {} needs different ids, and some of these "
        "words occur twice",
        item, name);
  }
  if (different == 1) {
    return fmt::format("leave the column, which has one word, out with --ignore {}", item);
  }
  const bool labelled = !of.options.label_column.empty() || !of.options.label_columns.empty();
  return fmt::format(
      "{}--categorical {} makes indicators of its {} different words, --ignore {} leaves the "
      "column out",
      labelled ? "" : fmt::format("--label {} if these are the labels, ", name), item, different,
      item);
}

void describe_word(const FaultyFile& of, const ColumnFaults& faults, TableProblem& problem) {
  problem.fault = in_quotes(problem.example) + " is not a finite number";
  const std::string item = shell_word(list_item(problem.column));
  const Index others = of.rows - problem.cells - faults.missing;
  if (of.file.of_model || !of.options.only.empty()) {
    problem.remedy = problem.cells == 1 ? "correct the cell, or remove the sample"
                                        : "correct these cells, or remove the samples";
  } else if (others > 0) {
    problem.remedy = remedy_among_others(problem, item, problem.cells > others);
  } else if (problem.cells >= 2) {
    problem.remedy = remedy_of_words(of, faults, problem, item);
  } else {
    problem.remedy =
        "if the column has labels, sample ids or nothing useful, name it with --label, --id or "
        "--ignore";
  }
}

void describe_name(const std::string& what, TableProblem& problem) {
  const bool shown =
      !problem.example.empty() && problem.example != "NA" && problem.example != "NaN";
  problem.fault = fmt::format("the {} is missing{}", what,
                              shown ? fmt::format(" ({})", in_quotes(problem.example)) : "");
  problem.remedy = "fill it in or remove the sample" + remedy_of_name(problem.example);
}

void describe_column(const FaultyFile& of, Fault fault, TableProblem& problem) {
  if (fault == Fault::truth) {
    problem.fault = in_quotes(problem.example) + " is a truth value";
    problem.remedy =
        fmt::format("--categorical {} makes an indicator of it, --ignore {} leaves the column out",
                    shell_word(list_item(problem.column)), shell_word(list_item(problem.column)));
  } else if (fault == Fault::label || fault == Fault::id) {
    describe_name(fault == Fault::label ? of.file.label_called : "sample id", problem);
  } else if (fault == Fault::flag) {
    problem.fault = in_quotes(problem.example) + flag_fault;
    problem.remedy = flag_remedy;
  } else if (fault == Fault::mixed_flag) {
    problem.fault = in_quotes(problem.example) + mixed_flag_fault(problem.example);
    problem.remedy = mixed_flag_remedy;
  } else if (fault == Fault::unnamed) {
    problem.fault =
        fmt::format("it has no name but values, such as {}", in_quotes(problem.example));
    problem.remedy = "write a name into the header, or leave the column out with --ignore " +
                     shell_word(list_item(problem.column));
  } else if (fault == Fault::repeated) {
    problem.fault = "the name occurs more than once";
    problem.remedy = "rename one of the columns";
  } else if (fault == Fault::fields) {
    problem.fault =
        fmt::format("{} where the header has {}", problem.example, of.file.header.size());
    problem.remedy = "correct the line, or put quotes around texts with a separator";
  } else if (fault == Fault::header) {
    problem.fault = "the line repeats the header";
    problem.remedy = problem.cells == 1 ? "remove it" : "remove it and the others";
  }
}

}  // namespace

std::string list_item(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

TableProblem describe_line_of_words(const FaultyFile& of, Index line, const std::string& words) {
  TableProblem problem;
  problem.line = line;
  problem.example = words;
  problem.cells = 1;
  problem.fault = fmt::format(
      "every column of numbers has a word ({}, ...), as lines with units or second names have",
      in_quotes(words));
  problem.remedy = "remove the line";
  if (line == of.file.skipped_lines + 2) {
    problem.remedy += ", or join it to names that occur twice: " + recipe("header");
  }
  return problem;
}

std::string remedy_of_missing(bool predicting) {
  if (predicting) return "fill it in or remove the sample";
  return "fill it in or let training do so with --missing mean, remove the sample, or leave the "
         "column out with --ignore";
}

void refuse_missing_number(const std::string& at, bool predicting) {
  throw DataError(
      fmt::format("{}: the value is missing (nan); {}", at, remedy_of_missing(predicting)));
}

TableProblem describe_fault(const FaultyFile& of, std::size_t column, const ColumnFaults& faults,
                            Fault fault) {
  const FaultCount& count = faults[fault];
  TableProblem problem;
  problem.line = count.line;
  problem.example = count.example;
  problem.cells = count.cells;
  if (column != Problems::whole_lines) problem.column = of.file.header[column];
  switch (fault) {
    case Fault::missing:
      describe_missing(of, problem);
      break;
    case Fault::notation:
      describe_notation(of, faults, problem);
      break;
    case Fault::percent:
      describe_percent(problem);
      break;
    case Fault::marked:
      describe_marked(faults, problem);
      break;
    case Fault::date:
      describe_date(faults, problem);
      break;
    case Fault::word:
      describe_word(of, faults, problem);
      break;
    default:
      describe_column(of, fault, problem);
  }
  return problem;
}

}  // namespace kernmix
