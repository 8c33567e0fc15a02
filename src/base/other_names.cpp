#include "base/other_names.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace kernmix {
namespace {

/// Small letters and digits of a name: "Histogram-Intersection" is histogramintersection.
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

}  // namespace kernmix
