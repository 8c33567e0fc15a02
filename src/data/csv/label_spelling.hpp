#pragma once
/// \file
/// Labels that are spelled in two ways.

#include <string>
#include <vector>

namespace kernmix {

/// A sentence about the first two labels that differ only in upper and lower case or in blanks,
/// such as "yes" and "Yes", which are different classes; "" if there are none, or more than a
/// thousand different labels. \param column  of the labels, for the sentence
[[nodiscard]] std::string label_spellings(const std::vector<std::string>& labels,
                                          const std::string& column);

}  // namespace kernmix
