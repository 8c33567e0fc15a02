#include "data/number.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/text.hpp"

namespace kernmix {

const char* parse_number_prefix(const char* begin, const char* end, double& value) {
  const auto result = fast_float::from_chars(begin, end, value);
  const bool usable = result.ec == std::errc() && std::isfinite(value);
  return usable ? result.ptr : begin;
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  if (text.empty() || parse_number_prefix(text.data(), end, value) != end) return std::nullopt;
  return value;
}

bool same_label(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::optional<double> x = parse_number(a);
  return x && x == parse_number(b);
}

bool is_missing_value(std::string_view text) {
  constexpr std::array<std::string_view, 8> kMissing = {"",     "na",   "n/a", "nan",
                                                        "null", "none", "?",   "."};
  const std::string lowered = lowercase(trim(text));
  return std::find(kMissing.begin(), kMissing.end(), lowered) != kMissing.end();
}

bool is_missing_name(std::string_view text) {
  return text.empty() || text == "NA" || text == "NaN" || text == "nan";
}

}  // namespace kernmix
