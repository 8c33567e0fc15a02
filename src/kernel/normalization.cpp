#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

using Scale = Normalization::Scale;

constexpr Named<Scale> scale_names[] = {
    {Scale::variance, "variance"}, {Scale::trace, "trace"}, {Scale::unit_trace, "unit-trace"}};

[[noreturn]] void refuse(std::string_view word) {
  const std::vector<std::string> known = {"none",       "variance", "trace",
                                          "unit-trace", "cosine",   "center"};
  const std::string hint = did_you_mean(word, known);
  throw ParameterError(fmt::format(
      "unknown normalization '{}'{}", word,
      hint.empty() ? "; known are none, variance, trace, unit-trace, cosine and center, joined by "
                     "'+' as in cosine+variance"
                   : hint));
}

/// Adds one word of a '+' list; false if it repeats or contradicts an earlier word.
bool add(std::string_view word, Normalization& rule) {
  bool* flag = word == "cosine" ? &rule.cosine : word == "center" ? &rule.center : nullptr;
  if (flag != nullptr) {
    const bool first = !*flag;
    *flag = true;
    return first;
  }
  for (const auto& [scale, name] : scale_names) {
    if (word != name) continue;
    const bool first = rule.scale == Scale::none;
    rule.scale = scale;
    return first;
  }
  refuse(word);
}

}  // namespace

std::string Normalization::text() const {
  std::string text;
  const auto append = [&text](std::string_view word) {
    if (!text.empty()) text += '+';
    text += word;
  };
  if (cosine) append("cosine");
  if (center) append("center");
  for (const auto& [known, name] : scale_names) {
    if (known == scale) append(name);
  }
  return text.empty() ? "none" : text;
}

Normalization parse_normalization(std::string_view text) {
  Normalization rule{.cosine = false, .center = false, .scale = Normalization::Scale::none};
  if (trim(text) == "none") return rule;
  for (const std::string_view word : split(text, '+')) {
    if (word == "none" || !add(word, rule)) {
      throw ParameterError(fmt::format(
          "normalization '{}' contradicts or repeats itself at '{}': use none alone, and each of "
          "cosine, center and one of variance, trace, unit-trace at most once",
          text, word));
    }
  }
  return rule;
}

std::optional<Normalization> parse_normalization_choice(std::string_view text) {
  if (trim(text) == "auto") return std::nullopt;
  return parse_normalization(text);
}

}  // namespace kernmix
