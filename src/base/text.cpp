#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>

namespace kernmix {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Number of bytes in the first character of a text; 0 if it is not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2   ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  return std::ranges::all_of(text.substr(1, length - 1), is_continuation) ? length : 0;
}

std::uint32_t code_point(std::string_view character) {
  constexpr std::uint32_t first_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
  std::uint32_t point =
      static_cast<unsigned char>(character.front()) & first_bits[character.size() - 1];
  for (const char c : character.substr(1)) {
    point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return point;
}

/// Control characters of a terminal or of the direction of text.
bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x061C || point == 0x200E ||
         point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

std::string escaped(const char* prefix, std::uint32_t value, int digits) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  std::string text = prefix;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text += hexadecimal[value >> static_cast<unsigned>(shift) & 0xFU];
  }
  return text;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last `*`, and the current end of its match
  std::size_t run_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      run_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++run_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool is_glob(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

std::string closest(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 200;  // longer names are not typed by hand
  if (name.size() > kLongest) return "";
  std::string best;
  std::size_t best_distance = std::string_view::npos;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const std::size_t limit = longer < 2 ? 0 : std::max<std::size_t>(longer / 3, 1);
    if (longer - shorter > limit || longer - shorter >= best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= limit && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string best = closest(name, known);
  return best.empty() ? "" : ", did you mean '" + best + "'?";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t end = std::min(text.size(), kLongest);
  while (end < text.size() && end > 0 && is_continuation(text[end])) --end;
  const std::string shown = visible(text.substr(0, end), Layout::none);
  return fmt::format("'{}{}'", shown, text.size() > end ? "..." : "");
}

std::string visible(std::string_view text, Layout layout) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      shown += escaped("\\x", byte, 2);
      text.remove_prefix(1);
      continue;
    }
    const std::uint32_t point = code_point(text.substr(0, length));
    if (!is_control(point) || (layout == Layout::lines && (point == '\n' || point == '\t'))) {
      shown += text.substr(0, length);
    } else {
      shown += point < 0x80 ? escaped("\\x", point, 2) : escaped("\\u", point, 4);
    }
    text.remove_prefix(length);
  }
  return shown;
}

std::string lowercase(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  return lowered;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(trim(text.substr(begin, end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

namespace {

/// The letters, in lower case, and digits of a name: "Histogram-Intersection" gives
/// histogramintersection.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : lowercase(name)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += c;
  }
  return letters;
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known,
                         std::span<const OtherName> others) {
  const std::string wanted = letters_of(name);
  for (const std::string& candidate : known) {
    if (!wanted.empty() && letters_of(candidate) == wanted)
      return ", did you mean '" + candidate + "'?";
  }
  const auto other = std::ranges::find(others, wanted, &OtherName::name);
  if (other != others.end()) return ", did you mean '" + std::string(other->here) + "'?";
  return did_you_mean(name, known);
}

std::string shell_word(const std::string& text) {
  if (text == "'") return "\"'\"";
  const auto is_plain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 ||
           std::string_view("_-./=+,%:@").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string quoted = "'";
  // A message would end at a NUL, and no command has one.
  for (const char c : visible(text, Layout::none)) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string listed(const std::vector<std::string>& names, std::size_t limit) {
  const std::size_t shown = std::min(names.size(), limit);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i > 0 ? ", " : "") + visible(names[i], Layout::none);
  }
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace kernmix
