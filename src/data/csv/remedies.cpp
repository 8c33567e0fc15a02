#include "data/csv/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// A text as a literal of Python.
std::string python_text(const std::string& text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "'";
}

/// Arguments of pandas.read_csv for the dialect of the file.
std::string pandas_arguments(const InputFile& file, NumberFormat format) {
  std::string text = python_text(file.path);
  if (file.separator != ',') {
    text += file.separator == '\t' ? ", sep='\\t'" : fmt::format(", sep='{}'", file.separator);
  }
  if (format.decimal == ',') text += ", decimal=','";
  if (file.numbered) text += ", header=None";
  if (file.row_names) text += ", index_col=0";
  if (file.skipped_lines > 0) text += fmt::format(", skiprows={}", file.skipped_lines);
  if (file.encoding.starts_with("UTF-16")) text += ", encoding='utf-16'";
  if (file.encoding == "Windows-1252") text += ", encoding='cp1252'";
  return text;
}

/// Statements of Python that change one column of the file and write NEW.csv.
/// \param expression  of the column x
std::string pandas_remedy(const FaultyFile& of, std::size_t column, const std::string& expression) {
  const std::size_t position = column - (of.file.row_names ? 1 : 0);
  const std::string written = of.file.row_names  ? ""
                              : of.file.numbered ? ", header=False, index=False"
                                                 : ", index=False";
  return fmt::format(
      "in Python: import pandas as pd; d = pd.read_csv({}); c = d.columns[{}]; x = "
      "d[c].astype('string'); d[c] = {}; d.to_csv('NEW.csv'{})",
      pandas_arguments(of.file, of.problems.format()), position, expression, written);
}

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

/// Turns the column `text` of texts in this notation into numbers.
std::string pandas_number(NumberFormat format, std::string text = "x") {
  if (format.thousands == ' ') {
    text += R"(.str.replace('[ \u00a0\u2009\u202f]', '', regex=True))";
  } else if (format.thousands == '\'') {
    text += R"(.str.replace("['\u2019]", '', regex=True))";
  } else if (format.thousands != '\0') {
    text += fmt::format(".str.replace({}, '', regex=False)",
                        python_text(std::string(1, format.thousands)));
  }
  if (format.decimal == ',') text += ".str.replace(',', '.', regex=False)";
  return text + ".astype(float)";
}

void describe_notation(const FaultyFile& of, std::size_t column, const ColumnFaults& faults,
                       TableProblem& problem) {
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
    problem.remedy = fmt::format("leave the column out with --ignore {}, or rewrite it, {}",
                                 shell_word(list_item(problem.column)),
                                 pandas_remedy(of, column, pandas_number(own)));
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
}

void describe_date(const FaultyFile& of, std::size_t column, TableProblem& problem) {
  const std::string& text = problem.example;
  const bool is_time = text.find(':') < 3;
  problem.fault = in_quotes(text) + (is_time ? " is a time" : " is a date");
  const bool short_time = std::ranges::count(text, ':') == 1;
  const bool day_first = text.find('.') < 3;
  const std::string expression =
      is_time ? fmt::format("pd.to_timedelta(x{}).dt.total_seconds()", short_time ? " + ':00'" : "")
              : fmt::format("(pd.to_datetime(x{}) - pd.Timestamp('2000-01-01')).dt.days",
                            day_first ? ", dayfirst=True" : "");
  problem.remedy = fmt::format("leave it out with --ignore {}, or turn it into {}, {}",
                               shell_word(list_item(problem.column)), is_time ? "seconds" : "days",
                               pandas_remedy(of, column, expression));
}

void describe_percent(const FaultyFile& of, std::size_t column, TableProblem& problem) {
  problem.fault = in_quotes(problem.example) + " is a percentage";
  const bool comma = problem.example.find(',') != std::string::npos;
  const std::string number = fmt::format("x.str.rstrip('% '){}.astype(float)",
                                         comma ? ".str.replace(',', '.', regex=False)" : "");
  problem.remedy =
      fmt::format("leave it out with --ignore {}, or remove the sign, {}",
                  shell_word(list_item(problem.column)), pandas_remedy(of, column, number));
}

/// What is said of a number with this mark, and the expression of pandas that removes it.
struct MarkText {
  const char* fault;
  const char* removed;
};

MarkText text_of(Mark mark) {
  switch (mark) {
    case Mark::currency:
      return {" is an amount of money", "x.str.replace(r'[^-+0-9.,]', '', regex=True)"};
    case Mark::parentheses:
      return {" is a number in parentheses, as accountants write negative ones",
              R"(x.str.replace(r'^\((.*)\)$', r'-\1', regex=True))"};
    case Mark::exponent:
      return {" has an exponent of Fortran", "x.str.replace('[dD]', 'e', regex=True)"};
    default:
      return {" is a number with a unit", R"(x.str.replace(r'\s+[^0-9\s]+$', '', regex=True))"};
  }
}

void describe_marked(const FaultyFile& of, std::size_t column, const ColumnFaults& faults,
                     TableProblem& problem) {
  const MarkText text = text_of(find_mark(problem.example).kind);
  problem.fault = in_quotes(problem.example) + text.fault;
  problem.remedy = "leave it out with --ignore " + shell_word(list_item(problem.column)) + ", or ";
  const bool plain = faults.notations.is_all();
  if (!plain && is_either(faults.notations, '\0')) {
    problem.remedy += "write plain numbers: the comma may separate thousands or be a decimal mark";
    return;
  }
  const std::vector<NumberFormat> formats = faults.notations.formats();
  const NumberFormat format = plain || formats.empty() ? NumberFormat() : formats.front();
  problem.remedy += "turn it into plain numbers, " +
                    pandas_remedy(of, column, pandas_number(format, text.removed));
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
  problem.remedy = "fill it in or remove the sample";
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
    problem.remedy += fmt::format(
        ", or join it to names that occur twice, in Python: import pandas as pd; d = "
        "pd.read_csv({}, header=[0, 1]); h = [c[0] for c in d.columns]; d.columns = [' '.join(c) "
        "if h.count(c[0]) > 1 else c[0] for c in d.columns]; {}d.to_csv('NEW.csv'{})",
        pandas_arguments(of.file, of.problems.format()),
        of.file.row_names ? "d.index.name = None; " : "", of.file.row_names ? "" : ", index=False");
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
      describe_notation(of, column, faults, problem);
      break;
    case Fault::percent:
      describe_percent(of, column, problem);
      break;
    case Fault::marked:
      describe_marked(of, column, faults, problem);
      break;
    case Fault::date:
      describe_date(of, column, problem);
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
