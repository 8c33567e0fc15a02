#include "kernel/language/expression_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace kernmix {
namespace {

constexpr double most_values = 10000.0;

/// A parsed number; a power of `base` if base != 0 (1e-3 is a power of 10).
struct Number {
  double value = 0.0;
  double base = 0.0;
  double exponent = 0.0;
};

bool is_whole(double value) { return value == std::floor(value); }

double to_double(std::string_view decimal) {
  double value = 0.0;
  const auto result = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    return decimal.find("e-") == std::string_view::npos ? HUGE_VAL : 0.0;
  }
  return value;
}

double power(double base, double exponent) {
  if (base == 10.0 && is_whole(exponent)) return to_double(fmt::format("1e{}", exponent));
  return std::pow(base, exponent);
}

double parse_signed(Cursor& cursor, std::string_view& decimal) {
  const bool negative = cursor.accept("-");
  decimal = cursor.decimal();
  if (decimal.empty()) cursor.expected("a number");
  const double value = to_double(decimal);
  return negative ? -value : value;
}

Number number_at(Cursor& cursor) {
  const std::size_t first = cursor.position();
  std::string_view decimal;
  Number number;
  number.value = parse_signed(cursor, decimal);
  if (cursor.accept("^")) {
    number.base = number.value;
    if (!(number.base > 0.0)) fail_at(cursor.text(), first, "the base of a power must be > 0");
    number.exponent = parse_signed(cursor, decimal);
    number.value = power(number.base, number.exponent);
  } else if (number.value > 0.0 && (decimal.starts_with("1e") || decimal.starts_with("1E"))) {
    number.base = 10.0;
    number.exponent = std::log10(number.value);
    number.exponent = std::round(number.exponent);
  }
  return number;
}

/// first, first + 1, ... last.
std::vector<double> steps(const Cursor& cursor, std::size_t position, double first, double last) {
  if (first > last) fail_at(cursor.text(), position, "a range must run upwards");
  if (!(last - first < most_values)) {
    fail_at(cursor.text(), position,
            fmt::format("a range may have at most {} values", most_values));
  }
  std::vector<double> all;
  for (double step = 0.0; step <= last - first; step += 1.0) all.push_back(first + step);
  return all;
}

void parse_range(Cursor& cursor, std::vector<double>& values) {
  const std::size_t position = cursor.position();
  const Number first = number_at(cursor);
  if (!cursor.accept("..")) {
    values.push_back(first.value);
    return;
  }
  const Number last = number_at(cursor);
  const bool powers = first.base != 0.0 && first.base == last.base;
  if (powers && is_whole(first.exponent) && is_whole(last.exponent)) {
    for (const double exponent : steps(cursor, position, first.exponent, last.exponent)) {
      values.push_back(power(first.base, exponent));
    }
    return;
  }
  const bool plain = first.base == 0.0 && last.base == 0.0;
  if (plain && is_whole(first.value) && is_whole(last.value)) {
    const std::vector<double> all = steps(cursor, position, first.value, last.value);
    values.insert(values.end(), all.begin(), all.end());
    return;
  }
  fail_at(cursor.text(), position,
          "a range runs between two whole numbers or two powers of the same base, as in 1..5, "
          "2^-6..2^3 or 1e-3..1e3; write other values as a list {0.1; 0.5}");
}

}  // namespace

std::vector<double> parse_values(Cursor& cursor) {
  std::vector<double> values;
  if (!cursor.accept("{")) {
    parse_range(cursor, values);
    return values;
  }
  do {
    parse_range(cursor, values);
  } while (cursor.accept(";"));
  if (!cursor.accept("}")) cursor.expected("';' or '}'");
  return values;
}

}  // namespace kernmix
