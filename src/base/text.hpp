#pragma once
/// \file
/// Matching and suggestion of names, and formatting of text in messages.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernmix {

/// True when `text` matches `pattern` as a whole; `*` stands for any run of bytes, `?` for one.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

/// True when `text` contains `*` or `?`.
[[nodiscard]] bool is_glob(std::string_view text);

/// The member of `known` nearest to `name` in edit distance, ignoring case, or "" if more than a
/// third of the longer name would have to change.
[[nodiscard]] std::string closest(std::string_view name, const std::vector<std::string>& known);

/// ", did you mean 'x'?" for the closest known name, or "".
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       const std::vector<std::string>& known);

/// `text` in single quotes for a message: cut at 60 bytes, control characters shown as '?'.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// `text` with A to Z in lower case.
[[nodiscard]] std::string lowercase(std::string_view text);

/// `text` without blanks at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// The parts of `text` between separators, trimmed; always at least one part.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The texts of some values with ", " between them. \param text  a member or a function of a value
template <typename Values, typename Text = std::identity>
[[nodiscard]] std::string comma_list(const Values& values, const Text& text = {}) {
  std::string list;
  for (const auto& value : values) list += (list.empty() ? "" : ", ") + std::invoke(text, value);
  return list;
}

/// A name in papers or other programs for something with another name in kernmix.
struct OtherName {
  std::string_view name;  ///< small letters and digits only
  std::string_view here;
};

/// ", did you mean 'x'?" for the entry `name` of `others`, ignoring case and separators of words,
/// otherwise for the closest of `known`, or "".
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& known,
                                       std::span<const OtherName> others);

enum class Layout {
  none,  ///< a name or a cell: line breaks and tabs are escaped, too
  lines  ///< a text: line breaks and tabs are kept
};

/// The text with escapes such as \x1b or \u202e for control characters of ASCII and C1, marks that
/// change the direction of text, and bytes that are not UTF-8.
[[nodiscard]] std::string visible(std::string_view text, Layout layout);

/// `text` as one word of a command for a POSIX shell.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Names joined by ", "; for more than `limit` the first ones and the number of the others.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t limit);

}  // namespace kernmix
