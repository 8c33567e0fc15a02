#include <fmt/format.h>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

/// Adds one word of a '+' list; false when the word says again or contradicts what was said before.
bool add(std::string_view word, Normalization& rule) {
  using Scale = Normalization::Scale;
  bool* flag = word == "cosine" ? &rule.cosine : word == "center" ? &rule.center : nullptr;
  if (flag != nullptr) {
    const bool first = !*flag;
    *flag = true;
    return first;
  }
  if (word != "trace" && word != "unit-trace") {
    const std::vector<std::string> known = {"none", "trace", "unit-trace", "cosine", "center"};
    const std::string hint = did_you_mean(word, known);
    throw ParameterError(fmt::format(
        "unknown normalization '{}'{}", word,
        hint.empty() ? "; known are none, trace, unit-trace, cosine and center, joined by '+' as "
                       "in center+trace"
                     : hint));
  }
  const bool first = rule.scale == Scale::none;
  rule.scale = word == "trace" ? Scale::trace : Scale::unit_trace;
  return first;
}

}  // namespace

std::string Normalization::text() const {
  std::string text;
  const auto append = [&text](const char* word) {
    if (!text.empty()) text += '+';
    text += word;
  };
  if (cosine) append("cosine");
  if (center) append("center");
  if (scale == Scale::trace) append("trace");
  if (scale == Scale::unit_trace) append("unit-trace");
  return text.empty() ? "none" : text;
}

Normalization parse_normalization(std::string_view text) {
  Normalization rule{.cosine = false, .center = false, .scale = Normalization::Scale::none};
  if (trim(text) == "none") return rule;
  for (const std::string_view word : split(text, '+')) {
    if (word == "none" || !add(word, rule)) {
      throw ParameterError(fmt::format(
          "normalization '{}' contradicts or repeats itself at '{}': use none alone, and each of "
          "cosine, center and one of trace, unit-trace at most once",
          text, word));
    }
  }
  return rule;
}

}  // namespace kernmix
