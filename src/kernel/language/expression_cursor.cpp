#include "kernel/language/expression_cursor.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Not the second or later byte of a UTF-8 character.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

void fail_at(std::string_view expression, std::size_t position, const std::string& sentence) {
  std::string line;
  std::string caret;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    line += is_blank(expression[i]) ? ' ' : expression[i];
    if (i < position && begins_character(expression[i])) caret += ' ';
  }
  throw ParameterError(fmt::format("kernel expression: {}\n  {}\n  {}^", sentence, line, caret));
}

std::size_t Cursor::position() {
  while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
  return next_;
}

bool Cursor::accept(std::string_view part) {
  if (!text_.substr(position()).starts_with(part)) return false;
  next_ += part.size();
  return true;
}

std::string_view Cursor::take_while(bool (*belongs)(char)) {
  const std::size_t first = next_;
  while (next_ < text_.size() && belongs(text_[next_])) ++next_;
  return text_.substr(first, next_ - first);
}

std::string_view Cursor::word() {
  const std::size_t first = position();
  if (first < text_.size() && is_digit(text_[first])) return {};
  return take_while([](char c) { return is_letter(c) || is_digit(c); });
}

std::string_view Cursor::decimal() {
  const std::size_t first = position();
  const auto character = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  const bool whole_part = !take_while(is_digit).empty();
  if (character(next_) == '.' && is_digit(character(next_ + 1))) {
    ++next_;
    static_cast<void>(take_while(is_digit));
  } else if (!whole_part) {
    return {};
  }
  if (character(next_) == 'e' || character(next_) == 'E') {
    const bool sign = character(next_ + 1) == '-' || character(next_ + 1) == '+';
    if (is_digit(character(next_ + (sign ? 2 : 1)))) {
      next_ += sign ? 2 : 1;
      static_cast<void>(take_while(is_digit));
    }
  }
  return text_.substr(first, next_ - first);
}

std::string Cursor::name(std::string_view stops, const char* what) {
  const std::size_t first = position();
  if (first < text_.size() && (text_[first] == '"' || text_[first] == '\'')) {
    const std::size_t last = text_.find(text_[first], first + 1);
    if (last == std::string_view::npos) fail_at(text_, first, "this quote is never closed");
    next_ = last + 1;
    return std::string(text_.substr(first + 1, last - first - 1));
  }
  while (next_ < text_.size() && !is_blank(text_[next_]) &&
         stops.find(text_[next_]) == std::string_view::npos) {
    ++next_;
  }
  if (next_ == first) expected(what);
  return std::string(text_.substr(first, next_ - first));
}

void Cursor::expected(const std::string& what) {
  const std::size_t here = position();
  if (here == text_.size()) {
    fail_at(text_, here, fmt::format("expected {}, found the end", what));
  }
  std::size_t after = here + 1;
  while (after < text_.size() && !begins_character(text_[after])) ++after;
  fail_at(text_, here,
          fmt::format("expected {}, found '{}'", what, text_.substr(here, after - here)));
}

}  // namespace kernmix
