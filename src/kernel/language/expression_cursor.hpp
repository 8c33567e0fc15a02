#pragma once
/// \file
/// A reader of kernel expressions whose errors point at a character.

#include <string>
#include <string_view>

namespace kernmix {

/// \throws ParameterError: the sentence, the expression, and a caret under byte `position`
[[noreturn]] void fail_at(std::string_view expression, std::size_t position,
                          const std::string& sentence);

/// A position in an expression. Blanks between tokens are ignored.
class Cursor {
 public:
  explicit Cursor(std::string_view expression, std::size_t start = 0)
      : text_(expression), next_(start) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  /// Position of the next token.
  [[nodiscard]] std::size_t position();
  [[nodiscard]] bool at_end() { return position() == text_.size(); }
  /// Consumes the next token if it is `part`.
  [[nodiscard]] bool accept(std::string_view part);
  /// Consumes an identifier: letters, digits and '_', not starting with a digit; may be empty.
  [[nodiscard]] std::string_view word();
  /// Consumes an unsigned decimal number, "2", "0.5", "1e-3", up to ".."; may be empty.
  [[nodiscard]] std::string_view decimal();
  /// Consumes text up to a blank or one of `stops`, or a quoted text. \param what description for
  /// the error if it is empty
  [[nodiscard]] std::string name(std::string_view stops, const char* what);
  /// \throws ParameterError "expected X, found 'y'"
  [[noreturn]] void expected(const std::string& what);

 private:
  [[nodiscard]] std::string_view take_while(bool (*belongs)(char));

  std::string_view text_;
  std::size_t next_;
};

}  // namespace kernmix
