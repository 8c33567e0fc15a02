#include "kernmix/repair.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {"none", "clip", "shift", "flip"};
  return all;
}

}  // namespace

std::string repair_name(Repair repair) { return names()[static_cast<std::size_t>(repair)]; }

Repair parse_repair(std::string_view text) {
  const auto found = std::ranges::find(names(), text);
  if (found != names().end()) return static_cast<Repair>(found - names().begin());
  throw ParameterError(fmt::format("repair must be none, clip, shift or flip, got {}{}",
                                   in_quotes(std::string(text)),
                                   did_you_mean(std::string(text), names())));
}

}  // namespace kernmix
