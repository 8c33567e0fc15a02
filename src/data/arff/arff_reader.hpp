#pragma once
/// \file
/// The grammar of ARFF (Weka's attribute-relation file format), one word at a time.

#include <string>
#include <string_view>

#include "kernmix/types.hpp"

namespace kernmix {

/// A sequence of characters without blanks, commas and braces, or the text between two quotes.
struct ArffWord {
  std::string_view text;  ///< valid until the next word is read
  bool quoted = false;
};

/// Iterates over the lines of a text and their words. Lines end at LF, CRLF or CR; blank lines and
/// comments (from a `%` at the beginning of a word on) are skipped. Borrows the text.
class ArffReader {
 public:
  ArffReader(std::string_view text, std::string path);

  /// Moves to the next line with content; false at the end of the text.
  bool next_line();

  /// The 1-based number of the line.
  [[nodiscard]] Index line() const { return line_; }

  /// True if only blanks and a comment remain on the line.
  bool line_ended();

  /// Consumes `mark` if it comes next, after optional blanks.
  bool take(char mark);

  /// The next word; empty (and not quoted) at a comma, a brace and the end of the line.
  /// \throws DataError for a quote that is not closed on its line
  ArffWord word();

  /// The rest of the line as it is written.
  std::string_view rest();

  /// \throws DataError "path:line: sentence"
  [[noreturn]] void refuse(std::string_view sentence) const;

 private:
  void skip_blanks();
  ArffWord quoted_word();

  std::string_view text_;  ///< what follows the line
  std::string_view left_;  ///< what is left of the line
  Index line_ = 0;
  std::string path_;
  std::string unescaped_;  ///< of the last word with a backslash
};

}  // namespace kernmix
