#include "data/csv/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.hpp"
#include "data/csv_reader.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// In the order in which a remedy names them.
constexpr std::array<NumberFormat, 7> known_notations = {
    {{',', '\0'}, {'.', ','}, {',', '.'}, {'.', '\''}, {'.', ' '}, {',', '\''}, {',', ' '}}};

bool is_any_number(std::string_view text) {
  return parse_number(text).has_value() || !Notations(text).empty();
}

/// Removes one of the `marks` from an end of the text. \returns whether it was there
bool take_mark(std::string& text, std::initializer_list<std::string_view> marks) {
  for (const std::string_view mark : marks) {
    if (text.size() > mark.size() && text.ends_with(mark)) {
      text.erase(text.size() - mark.size());
      return true;
    }
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    if (text.size() > mark.size() && std::string_view(text).substr(sign).starts_with(mark)) {
      text.erase(sign, mark.size());
      if (sign == 1) text.erase(1, text.find_first_not_of(' ', 1) - 1);
      return true;
    }
  }
  return false;
}

/// The number before a blank and a few letters, or "".
std::string without_unit(std::string_view cell) {
  const std::size_t blank = cell.find(' ');
  if (blank == std::string_view::npos) return "";
  const std::string_view unit = trim(cell.substr(blank));
  const auto is_letter = [](char c) {
    return (c & 0x80) != 0 || std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '/';
  };
  const bool fits = !unit.empty() && unit.size() <= 8 && std::ranges::all_of(unit, is_letter);
  return fits ? std::string(cell.substr(0, blank)) : "";
}

}  // namespace

MarkedNumber find_mark(std::string_view cell) {
  cell = trim(cell);
  std::string number(cell);
  if (take_mark(number,
                {"US$", "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "EUR", "USD", "GBP", "CHF"})) {
    number = trim(number);
    if (is_any_number(number)) return {Mark::currency, number};
  }
  if (cell.size() > 2 && cell.front() == '(' && cell.back() == ')') {
    number = cell.substr(1, cell.size() - 2);
    if (is_any_number(number)) return {Mark::parentheses, number};
  }
  number = cell;
  const std::size_t at = number.find_first_of("dD");
  if (at != std::string::npos && at > 0) {
    number[at] = 'e';
    if (is_any_number(number)) return {Mark::exponent, number};
  }
  number = without_unit(cell);
  if (is_any_number(number)) return {Mark::unit, number};
  return {};
}

Notations::Notations(std::string_view text) {
  if (text.find_first_of("0123456789") == std::string_view::npos) return;
  for (std::size_t k = 0; k < known_notations.size(); ++k) {
    if (parse_number(text, known_notations[k])) set_ |= 1U << k;
  }
}

Notations Notations::all() {
  Notations every;
  every.set_ = (1U << known_notations.size()) - 1;
  return every;
}

bool Notations::has(NumberFormat format) const {
  for (std::size_t k = 0; k < known_notations.size(); ++k) {
    if (known_notations[k] == format) return (set_ >> k & 1U) != 0;
  }
  return false;
}

std::vector<NumberFormat> Notations::formats() const {
  std::vector<NumberFormat> all;
  for (const NumberFormat format : known_notations) {
    if (has(format)) all.push_back(format);
  }
  return all;
}

bool is_either(Notations number, char thousands) {
  return thousands == '\0' && number.has({',', '\0'}) && number.has({'.', ','});
}

bool is_decimal_comma(Notations number, char thousands) {
  return number.has({',', thousands}) && !is_either(number, thousands);
}

char detect_decimal(std::string_view text, char separator, const std::string& path) {
  if (separator == ',' || text.find(',') == std::string_view::npos) return '.';
  CsvReader reader(text, separator, path);
  Notations common = Notations::all();
  Index line = 0;
  std::string example;
  while (reader.next_record()) {
    while (!reader.record_ended()) {
      double value = 0.0;
      if (reader.number(value)) continue;
      const std::string_view field = reader.field();
      const Notations here(field);
      if (here.empty() || !here.has({',', '\0'})) continue;
      if (example.empty()) {
        example = field;
        line = reader.line();
      }
      common.intersect(here);
      if (is_decimal_comma(common, '\0')) return ',';
    }
  }
  if (example.empty()) return '.';
  throw DataError(
      fmt::format("{}:{}: {} may be a number with a decimal comma or with a thousands separator; "
                  "write numbers with a decimal point and without thousands separators",
                  path, line, in_quotes(example)));
}

}  // namespace kernmix
