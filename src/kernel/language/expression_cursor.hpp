#pragma once
/// \file
/// Reading a kernel expression character by character, with errors that point at one.

#include <string>
#include <string_view>

namespace kernmix {

/// \throws ParameterError: the sentence, the expression, and a caret under byte `position`
[[noreturn]] void fail_at(std::string_view expression, std::size_t position,
                          const std::string& sentence);

/// A position in an expression. Blanks between the parts of the language mean nothing.
class Cursor {
 public:
  explicit Cursor(std::string_view expression, std::size_t start = 0)
      : text_(expression), next_(start) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  /// Of the next part: blanks are skipped.
  [[nodiscard]] std::size_t position();
  [[nodiscard]] bool at_end() { return position() == text_.size(); }
  /// Takes the next part when it is `part`.
  [[nodiscard]] bool accept(std::string_view part);
  /// Takes letters, digits and '_' that do not begin with a digit; may be empty.
  [[nodiscard]] std::string_view word();
  /// Takes a decimal number without sign, "2", "0.5", "1e-3", stopping before "..", may be empty.
  [[nodiscard]] std::string_view decimal();
  /// Takes everything up to a blank or one of `stops`, or what stands between quotes.
  /// \param what  names the thing in the error when nothing is there
  [[nodiscard]] std::string name(std::string_view stops, const char* what);
  /// \throws ParameterError "expected X, found 'y'"
  [[noreturn]] void expected(const std::string& what);

 private:
  [[nodiscard]] std::string_view take_while(bool (*belongs)(char));

  std::string_view text_;
  std::size_t next_;
};

}  // namespace kernmix
