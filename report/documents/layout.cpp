#include "layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "kernmix/types.hpp"

namespace kernmix::documents {
namespace {

bool reads_as_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.+-e%") == std::string::npos;
}

/// Characters, not bytes, of UTF-8 text.
std::size_t width(std::string_view text) {
  return to_size(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  return widths;
}

/// Columns whose cells below the header are all numbers or empty, and not all empty.
std::vector<bool> number_columns(const std::vector<Row>& rows, std::size_t columns, bool header) {
  std::vector<bool> numbers(columns, false);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = header ? 1 : 0; r < rows.size(); ++r) {
      if (c >= rows[r].size() || rows[r][c].empty()) continue;
      numbers[c] = reads_as_number(rows[r][c]);
      if (!numbers[c]) break;
    }
  }
  return numbers;
}

std::vector<Row> visible_cells(std::vector<Row> rows) {
  for (Row& row : rows) {
    for (std::string& cell : row) cell = visible(cell, Layout::none);
  }
  return rows;
}

/// Spreadsheets take what begins so for a formula.
bool starts_like_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool is_numeral(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string aligned(const std::vector<Row>& given, bool header) {
  const std::vector<Row> rows = visible_cells(given);
  const auto widths = column_widths(rows);
  const auto numbers = number_columns(rows, widths.size(), header);
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string padding(widths[c] - width(rows[r][c]), ' ');
      if (c > 0) line += "  ";
      line += numbers[c] ? padding + rows[r][c] : rows[r][c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (header && r == 0) {
      for (std::size_t c = 0; c < widths.size(); ++c) {
        text += (c > 0 ? "  " : "") + std::string(widths[c], '-');
      }
      text += "\n";
    }
  }
  return text;
}

std::string readable_seconds(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.2f} s", seconds);
  const double minutes = std::floor(seconds / 60.0);
  return fmt::format("{:.0f} min {:.0f} s", minutes, seconds - 60.0 * minutes);
}

std::string csv_field(std::string_view text) {
  const bool is_formula = starts_like_formula(text) && !is_numeral(text);
  if (!is_formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = is_formula ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + "\"";
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    if (column > 0 && column + 1 + (end - begin) > width) {
      result += '\n';
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result.append(text, begin, end - begin);
    column += end - begin;
    if (end < text.size() && text[end] == '\n') {
      result += '\n';
      column = 0;
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace kernmix::documents
