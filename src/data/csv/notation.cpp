#include "data/csv/notation.hpp"

#include <fmt/format.h>

#include <array>

#include "base/text.hpp"
#include "data/csv_reader.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// In the order in which a remedy names them.
constexpr std::array<NumberFormat, 7> known_notations = {
    {{',', '\0'}, {'.', ','}, {',', '.'}, {'.', '\''}, {'.', ' '}, {',', '\''}, {',', ' '}}};

}  // namespace

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
