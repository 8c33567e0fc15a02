#include "data/number.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/text.hpp"

namespace kernmix {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view unicode_minus = "\xe2\x88\x92";  // U+2212

/// Length of the thousands separator at the beginning of `text`, or 0.
std::size_t separator_length(std::string_view text, char thousands) {
  if (text.starts_with(thousands)) return 1;
  if (thousands == '\'') return text.starts_with("\xe2\x80\x99"sv) ? 3 : 0;  // U+2019
  if (thousands != ' ') return 0;
  if (text.starts_with("\xc2\xa0"sv)) return 2;  // U+00A0
  return text.starts_with("\xe2\x80\xaf"sv) || text.starts_with("\xe2\x80\x89"sv) ? 3 : 0;
}

/// Removes the sign at the beginning of `text`. \returns "-" or ""
std::string take_sign(std::string_view& text) {
  if (text.starts_with(unicode_minus)) {
    text.remove_prefix(unicode_minus.size());
    return "-";
  }
  if (!text.starts_with('-') && !text.starts_with('+')) return "";
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative ? "-" : "";
}

/// Appends the digits of groups at the beginning of `text` without their separators, and removes
/// them from it. \returns false for groups that have not three digits
bool take_groups(std::string_view& text, char thousands, std::string& digits) {
  const auto run = [&] {
    const std::size_t end = text.find_first_not_of("0123456789");
    return std::min(end, text.size());
  };
  std::size_t count = run();
  const bool may_group = count >= 1 && count <= 3 && text.front() != '0';
  digits += text.substr(0, count);
  text.remove_prefix(count);
  for (;;) {
    const std::size_t width = separator_length(text, thousands);
    if (width == 0) return true;
    text.remove_prefix(width);
    count = run();
    if (!may_group || count != 3) return false;
    digits += text.substr(0, count);
    text.remove_prefix(count);
  }
}

}  // namespace

const char* parse_number_prefix(const char* begin, const char* end, double& value, char decimal) {
  const auto result = fast_float::from_chars_advanced(
      begin, end, value, fast_float::parse_options(fast_float::chars_format::general, decimal));
  const bool usable = result.ec == std::errc() && std::isfinite(value);
  return usable ? result.ptr : begin;
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with(unicode_minus) && text.size() > unicode_minus.size() &&
      (is_decimal_digit(text[unicode_minus.size()]) || text[unicode_minus.size()] == '.')) {
    const std::optional<double> size = parse_number(text.substr(unicode_minus.size()));
    return size ? std::optional(-*size) : std::nullopt;
  }
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  if (text.empty() || parse_number_prefix(text.data(), end, value) != end) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text, NumberFormat format) {
  if (format == NumberFormat()) return parse_number(text);
  text = trim(text);
  std::string plain = take_sign(text);
  if (text.empty() || !(is_decimal_digit(text.front()) || text.front() == format.decimal)) {
    return std::nullopt;  // a second sign, or a word
  }
  if (format.thousands != '\0' && !take_groups(text, format.thousands, plain)) return std::nullopt;
  for (const char c : text) {
    if (c == '.' && format.decimal != '.') return std::nullopt;
    plain += c == format.decimal ? '.' : c;
  }
  return parse_number(plain);
}

bool same_label(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::optional<double> x = parse_number(a);
  return x && x == parse_number(b);
}

bool is_missing_value(std::string_view text) {
  constexpr std::array<std::string_view, 10> kMissing = {"",    "na",   "n/a",  "<na>", "#n/a",
                                                         "nan", "null", "none", "?",    "."};
  text = trim(text);
  if (text.size() > 4) return false;
  const std::string lowered = lowercase(text);
  return std::find(kMissing.begin(), kMissing.end(), lowered) != kMissing.end();
}

bool is_missing_name(std::string_view text) { return text != "none" && is_missing_value(text); }

}  // namespace kernmix
