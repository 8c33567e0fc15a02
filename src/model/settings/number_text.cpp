#include "model/settings/number_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/range.hpp"

namespace kernmix {
namespace {

[[noreturn]] void refuse(const std::string& option, const char* rule, const std::string& text) {
  throw ParameterError(fmt::format("{} must be {}, got {}", option, rule, in_quotes(text)));
}

template <typename T>
std::optional<T> whole_text(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

struct Unit {
  std::string_view suffix;
  double factor;
};

/// A number >= 0 with one of the suffixes, the longest of them first.
template <std::size_t N>
std::optional<double> with_unit(std::string_view text, const std::array<Unit, N>& units) {
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.suffix)) continue;
    const auto number = whole_text<double>(text.substr(0, text.size() - unit.suffix.size()));
    if (number && std::isfinite(*number) && *number >= 0.0) return *number * unit.factor;
  }
  return std::nullopt;
}

constexpr double kKibi = 1024.0;
constexpr std::array<Unit, 14> kByteUnits = {{{"KiB", kKibi},
                                              {"MiB", kKibi* kKibi},
                                              {"GiB", kKibi* kKibi* kKibi},
                                              {"TiB", kKibi* kKibi* kKibi* kKibi},
                                              {"KB", kKibi},
                                              {"MB", kKibi* kKibi},
                                              {"GB", kKibi* kKibi* kKibi},
                                              {"TB", kKibi* kKibi* kKibi* kKibi},
                                              {"K", kKibi},
                                              {"M", kKibi* kKibi},
                                              {"G", kKibi* kKibi* kKibi},
                                              {"T", kKibi* kKibi* kKibi* kKibi},
                                              {"B", 1.0},
                                              {"", 1.0}}};
constexpr std::array<Unit, 5> kTimeUnits = {
    {{"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}, {"", 1.0}}};

}  // namespace

double positive_number(const std::string& option, const std::string& text) {
  const auto value = whole_text<double>(text);
  if (!value || !std::isfinite(*value) || *value <= 0.0) refuse(option, "a number > 0", text);
  return *value;
}

double number_in_range(const std::string& option, const std::string& text) {
  const double value = positive_number(option, text);
  if (in_parameter_range(value)) return value;
  const std::string rule =
      fmt::format("a number from {} to {}", smallest_parameter, largest_parameter);
  refuse(option, rule.c_str(), text);
}

Index whole_number(const std::string& option, const std::string& text, Index minimum) {
  const auto value = whole_text<Index>(text);
  if (!value || *value < minimum) {
    refuse(option, fmt::format("a whole number >= {}", minimum).c_str(), text);
  }
  return *value;
}

bool truth(const std::string& option, const std::string& text) {
  if (text != "true" && text != "false") refuse(option, "true or false", text);
  return text == "true";
}

std::uint64_t seed_number(const std::string& option, const std::string& text) {
  const auto value = whole_text<std::uint64_t>(text);
  if (!value) refuse(option, "a whole number >= 0", text);
  return *value;
}

std::size_t byte_count(const std::string& option, const std::string& text) {
  const auto bytes = with_unit(text, kByteUnits);
  if (!bytes || *bytes < 1.0 || *bytes > 1e18) {
    refuse(option, "a size such as 500M or 4G", text);
  }
  return static_cast<std::size_t>(*bytes);
}

double duration_seconds(const std::string& option, const std::string& text) {
  const auto seconds = with_unit(text, kTimeUnits);
  if (!seconds || *seconds > 1e9) refuse(option, "a duration such as 30s, 5m or 2h", text);
  return *seconds;
}

std::pair<std::string, std::string> assignment(const std::string& option, const std::string& text) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
    refuse(option, "NAME=VALUE", text);
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

}  // namespace kernmix
