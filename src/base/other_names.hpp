#pragma once
/// \file
/// Names that papers and other programs have for what kernmix calls otherwise.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernmix {

struct OtherName {
  std::string_view name;  ///< small letters and digits only
  std::string_view here;
};

/// ", did you mean 'x'?" for the name that `others` have for `name`, in any case and however its
/// words are joined, else for the closest of `known`, or "".
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& known,
                                       std::span<const OtherName> others);

}  // namespace kernmix
