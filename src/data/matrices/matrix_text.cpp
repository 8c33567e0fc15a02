#include "data/matrices/matrix_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "data/csv/notation.hpp"
#include "data/csv/separator.hpp"
#include "data/csv_reader.hpp"
#include "data/libsvm_text.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// A field of the first records.
struct Cell : CsvField {
  std::optional<double> number;
};
using TextRow = std::vector<Cell>;

TextRow text_row(CsvReader& reader, NumberFormat format) {
  TextRow row;
  for (CsvField& field : read_record(reader)) {
    const std::optional<double> number = parse_number(field.text, format);
    row.push_back({std::move(field), number});
  }
  return row;
}

/// True for a name, false for a number, also one that is missing or not finite.
bool is_word(const Cell& cell) {
  if (is_missing_value(cell.text) || cell.number) return false;
  const std::string& text = cell.text;
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + (text.front() == '+' ? 1 : 0), end, value);
  return parsed.ptr != end;
}

bool is_plain_number(const Cell& cell) { return !cell.quoted && cell.number; }

/// Where a file has names.
struct TextLayout {
  bool header = false;
  bool corner = false;  ///< the header has a field above the names of rows
  bool row_names = false;
};

bool is_whole(const Cell& cell) { return cell.number && *cell.number == std::floor(*cell.number); }

/// The fields but the first, or the only one.
std::span<const Cell> most_of(const TextRow& record) {
  return std::span(record).subspan(record.size() > 1 ? 1 : 0);
}

/// "patient,101,102" above "101,1,0.5".
bool is_header_of_numbers(const TextRow& first, const TextRow& second) {
  return first.size() > 1 && first.size() == second.size() && is_word(first.front()) &&
         is_whole(second.front()) && std::ranges::all_of(most_of(first), is_whole);
}

/// 0, 1, ... or 1, 2, ... without decimals.
bool counts(const TextRow& record) {
  for (const std::size_t first : {0U, 1U}) {
    std::size_t next = first;
    const auto is_next = [&](const Cell& cell) { return cell.text == std::to_string(next++); };
    if (std::ranges::all_of(record, is_next)) return true;
  }
  return false;
}

/// "0,1,2" above "0.5,0.25,1". The first row of distances on a line, 0, 1, 2, ..., stands above
/// whole numbers, or is the first column, too.
bool is_counting_header(const TextRow& first, const TextRow& second, const TextRow& third) {
  if (first.size() < 3 || !counts(first)) return false;
  if (second.size() == first.size() + 1) return true;
  const bool mirrored = second.front().number == first[1].number && !third.empty() &&
                        third.front().number == first[2].number;
  return second.size() == first.size() && !mirrored && !std::ranges::all_of(second, is_whole);
}

/// Whether the first record holds names: with an empty corner, in quotes, or mostly words.
bool is_header(const TextRow& first, const TextRow& second, const TextRow& third) {
  if (second.empty()) return false;
  if (first.size() > 1 && first.size() == second.size() && first.front().text.empty()) return true;
  const std::span<const Cell> names = most_of(first);
  const bool quoted = std::ranges::all_of(names, &Cell::quoted) &&
                      std::ranges::any_of(most_of(second), is_plain_number);
  return quoted || is_header_of_numbers(first, second) ||
         is_counting_header(first, second, third) ||
         2 * std::ranges::count_if(names, is_word) >= std::ssize(names);
}

bool has_row_names(const TextRow& first, const TextRow& second, bool header) {
  const TextRow& row = header ? second : first;
  if (row.size() < 2) return false;
  if (is_word(row.front())) return true;
  if (row.front().quoted && std::ranges::any_of(most_of(row), is_plain_number)) return true;
  return header && (first.size() + 1 == second.size() || first.front().text.empty() ||
                    is_header_of_numbers(first, second));
}

TextLayout layout_of(const TextRow& first, const TextRow& second, const TextRow& third) {
  TextLayout layout;
  layout.header = is_header(first, second, third);
  layout.row_names = has_row_names(first, second, layout.header);
  layout.corner = layout.header && layout.row_names && first.size() == second.size();
  return layout;
}

/// \throws ResourceError where the text and the numbers exceed the memory
void require_room(const InputFile& file, const Matrix& matrix, std::size_t names,
                  const Context& context) {
  const std::size_t bytes =
      file.text.size() + matrix.values.capacity() * sizeof(double) + names * sizeof(std::string);
  require_memory_of_bytes(file.path, bytes, context);
}

class MatrixText {
 public:
  MatrixText(const InputFile& file, char separator)
      : file_(file),
        separator_(separator),
        format_{detect_decimal(file.text, separator, file.path)},
        reader_(start()) {
    CsvReader ahead = start();
    const TextRow first = text_row(ahead, format_);
    const TextRow second = text_row(ahead, format_);
    const TextRow third = text_row(ahead, format_);
    if (first.empty()) throw DataError(file_.path + ": has only blank lines");
    layout_ = layout_of(first, second, third);
  }

  GivenMatrix read(const Context& context) {
    if (layout_.header) read_header();
    while (reader_.next_record()) {
      stop_reading_if_asked(file_.path, context);
      read_row();
      require_room(file_, matrix_, names_.rows.size() + names_.columns.size(), context);
    }
    auto matrix = std::make_shared<Matrix>(std::move(matrix_));
    matrix->cols = std::max<Index>(width_, 0);
    GivenMatrix given(std::shared_ptr<const Matrix>(std::move(matrix)));
    if (layout_.header || layout_.row_names) given.set_names(std::move(names_));
    return given;
  }

 private:
  [[nodiscard]] CsvReader start() const {
    return {file_.text, separator_, file_.path, format_.decimal};
  }

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw DataError(fmt::format("{}:{}: {}", file_.path, reader_.line(), sentence));
  }

  void read_header() {
    static_cast<void>(reader_.next_record());
    if (layout_.corner) static_cast<void>(reader_.field());
    std::unordered_map<std::string, Index> seen;
    while (!reader_.record_ended()) {
      std::string name(reader_.field());
      check_name(name, "column", length(names_.columns) + 1);
      const auto [known, is_new] = seen.emplace(name, length(names_.columns) + 1);
      if (!is_new) {
        refuse(fmt::format("columns {} and {} have the same name {}; names of samples must differ",
                           known->second, length(names_.columns) + 1, in_quotes(name)));
      }
      names_.columns.push_back(std::move(name));
    }
    width_ = length(names_.columns);
  }

  void check_name(const std::string& name, const char* what, Index number) const {
    if (!is_missing_name(name)) return;
    refuse(fmt::format("the name of {} {} is missing; give every sample a name", what, number));
  }

  void read_row() {
    if (layout_.row_names) read_row_name();
    Index count = 0;
    for (; !reader_.record_ended(); ++count) matrix_.values.push_back(read_number(count));
    if (matrix_.rows++ == 0 && width_ < 0) width_ = count;
    if (count == width_) return;
    refuse(fmt::format("{} numbers where the {} has {}", count,
                       layout_.header ? "first line" : "first row", width_));
  }

  void read_row_name() {
    std::string name(reader_.field());
    check_name(name, "row", matrix_.rows + 1);
    const auto [known, is_new] = line_of_.emplace(name, reader_.line());
    if (!is_new) {
      refuse(fmt::format("the name {} occurs on line {}, too; names of samples must differ",
                         in_quotes(name), known->second));
    }
    names_.rows.push_back(std::move(name));
  }

  double read_number(Index place) {
    double value = 0.0;
    if (reader_.number(value)) return value;
    const std::string_view text = reader_.field();
    const std::optional<double> number = parse_number(text, format_);
    if (number) return *number;
    refuse(fmt::format(
        "column {}: {} is not a finite number; a matrix file holds numbers, and names of samples "
        "in the first line and the first column only",
        place + 1 + (layout_.row_names ? 1 : 0), in_quotes(text)));
  }

  const InputFile& file_;
  char separator_;
  NumberFormat format_;
  CsvReader reader_;
  TextLayout layout_;
  MatrixNames names_;
  std::unordered_map<std::string, Index> line_of_;
  Matrix matrix_;
  Index width_ = -1;  ///< numbers of a row; -1: not known yet
};

/// Rows of LIBSVM's precomputed form: all have the same indices 0, 1, ..., L, and 0:i numbers them.
class LibsvmKernel {
 public:
  explicit LibsvmKernel(const InputFile& file) : file_(file) {}

  GivenMatrix read(const Context& context) {
    LibsvmLines lines(file_.text);
    while (lines.next()) {
      stop_reading_if_asked(file_.path, context);
      read_row(lines);
      require_room(file_, matrix_, 0, context);
    }
    check_numbers();
    return std::make_shared<const Matrix>(std::move(matrix_));
  }

 private:
  [[noreturn]] void refuse(Index line, const std::string& sentence) const {
    throw DataError(fmt::format("{}:{}: {}", file_.path, line, sentence));
  }

  void read_row(const LibsvmLines& lines) {
    std::string_view rest = lines.content();
    std::string_view token = next_token(rest);
    if (token.find(':') == std::string_view::npos) token = next_token(rest);
    numbers_.push_back(value_of(token, 0, lines.number()));
    lines_.push_back(lines.number());
    Index count = 0;
    for (token = next_token(rest); !token.empty(); token = next_token(rest)) {
      matrix_.values.push_back(value_of(token, ++count, lines.number()));
    }
    if (matrix_.rows++ == 0) matrix_.cols = count;
    if (count == matrix_.cols) return;
    refuse(lines.number(),
           fmt::format("{} entries where the first row has {}; a precomputed kernel "
                       "has all of them, also zeros",
                       count, matrix_.cols));
  }

  [[nodiscard]] double value_of(std::string_view token, Index expected, Index line) const {
    const std::size_t colon = std::min(token.find(':'), token.size());
    if (token.substr(0, colon) != std::to_string(expected) || colon == token.size()) {
      refuse(line, fmt::format("{} where {}:value is expected; a precomputed kernel in LIBSVM's "
                               "form has the indices 0, 1, 2, ... in every line",
                               in_quotes(token), expected));
    }
    const std::optional<double> value = parse_number(token.substr(colon + 1));
    if (value) return *value;
    refuse(line, fmt::format("{} is not a finite number", in_quotes(token.substr(colon + 1))));
  }

  /// Rows of a square matrix that are the samples of its columns must have their order. Those of
  /// new samples have any numbers.
  void check_numbers() const {
    if (matrix_.rows != matrix_.cols) return;
    Vector sorted = numbers_;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != static_cast<double>(i + 1)) return;
    }
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i] == static_cast<double>(i + 1)) continue;
      refuse(lines_[i], fmt::format("0:{} numbers sample {} of the file; put the lines into the "
                                    "order 0:1, 0:2, ..., which is that of the columns",
                                    numbers_[i], i + 1));
    }
  }

  const InputFile& file_;
  Matrix matrix_;
  Vector numbers_;
  std::vector<Index> lines_;
};

}  // namespace

bool is_libsvm_kernel(std::string_view text) {
  LibsvmLines lines(text);
  if (!lines.next()) return false;
  std::string_view rest = lines.content();
  std::string_view token = next_token(rest);
  if (token.find(':') == std::string_view::npos) token = next_token(rest);
  if (token.substr(0, 2) != "0:" || next_token(rest).substr(0, 2) != "1:") return false;
  const std::optional<double> number = parse_number(token.substr(2));
  return number && *number == std::floor(*number);
}

GivenMatrix read_text_matrix(InputFile& file, const Context& context) {
  const std::size_t first_line = std::min(file.text.find('\n'), file.text.size());
  // The first lines are looked at before the names are read, which the rows may repeat.
  require_memory_of_bytes(file.path, file.text.size() + 3 * first_line, context);
  if (is_libsvm_kernel(file.text)) return LibsvmKernel(file).read(context);
  const char declared = take_separator_line(file);
  const char separator = declared != '\0' ? declared : matrix_separator(file.text);
  return MatrixText(file, separator).read(context);
}

}  // namespace kernmix
