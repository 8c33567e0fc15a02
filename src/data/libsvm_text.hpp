#pragma once
/// \file
/// Lines and tokens of LIBSVM's text format.

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Takes the next run of characters that are not blank.
[[nodiscard]] inline std::string_view next_token(std::string_view& line) {
  line = trim(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view token = line.substr(0, end);
  line.remove_prefix(end);
  return token;
}

/// The lines of a text that are not empty, without comments (`#`) and blanks at both ends.
class LibsvmLines {
 public:
  explicit LibsvmLines(std::string_view text) : rest_(text) {}

  /// Moves to the next line; false at the end of the text.
  bool next() {
    while (!rest_.empty()) {
      ++number_;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      content_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      content_ = trim(content_.substr(0, content_.find('#')));
      if (!content_.empty()) return true;
    }
    return false;
  }
  [[nodiscard]] std::string_view content() const { return content_; }
  /// From 1.
  [[nodiscard]] Index number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view content_;
  Index number_ = 0;
};

}  // namespace kernmix
