#pragma once
/// \file
/// Names of strangers on a terminal: shown, never obeyed.

#include <string>
#include <string_view>

namespace kernmix {

enum class Layout {
  none,  ///< a name or a cell: line breaks and tabs are control characters, too
  lines  ///< a text: they stay
};

/// The text with control characters as \x1b or \u202e: those of ASCII and of C1, marks that turn
/// the direction of text around, and bytes that are not UTF-8.
[[nodiscard]] std::string visible(std::string_view text, Layout layout);

}  // namespace kernmix
