#include "text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/memory/memory_text.hpp"

namespace kernmix::report {

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') ? ' ' : c;
    }
  }
  return out;
}

std::string number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "n/a";
  if (*value != 0.0 && std::abs(*value) < 1e-3) return fmt::format("{:.2g}", *value);
  return fmt::format("{:.4g}", *value);
}

std::string precise(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.8g}", *value) : "n/a";
}

std::string decimals(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.4f}", *value) : "n/a";
}

std::string percent(std::optional<double> fraction) {
  if (!fraction || !std::isfinite(*fraction)) return "n/a";
  const double value = 100.0 * *fraction;
  if (value != 0.0 && std::abs(value) < 0.1) return fmt::format("{:.1g} %", value);
  return fmt::format("{:.1f} %", value);
}

std::string seconds(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "n/a";
  if (*value < 10.0) return fmt::format("{:.2f} s", *value);
  if (*value < 120.0) return fmt::format("{:.0f} s", *value);
  const auto whole = static_cast<long long>(std::llround(*value));
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string bytes(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "n/a";
  return memory_text(*value);
}

std::string shorten(std::string_view text, int limit) {
  int points = 0;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (points == limit - 1) cut = i;
    if (++points > limit) return std::string(text.substr(0, cut)) + "…";
  }
  return std::string(text);
}

}  // namespace kernmix::report
