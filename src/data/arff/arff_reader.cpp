#include "data/arff/arff_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The meaning of an escaped character between quotes.
char unescape(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c; }

}  // namespace

ArffReader::ArffReader(std::string_view text, std::string path)
    : text_(text), path_(std::move(path)) {}

bool ArffReader::next_line() {
  while (!text_.empty()) {
    ++line_;
    const std::size_t end = std::min(text_.find_first_of("\r\n"), text_.size());
    left_ = text_.substr(0, end);
    const bool two = text_.substr(end, 2) == "\r\n";
    text_.remove_prefix(std::min(end + (two ? 2 : 1), text_.size()));
    if (!line_ended()) return true;
  }
  left_ = {};
  return false;
}

void ArffReader::skip_blanks() {
  left_.remove_prefix(std::min(left_.find_first_not_of(" \t"), left_.size()));
}

bool ArffReader::line_ended() {
  skip_blanks();
  return left_.empty() || left_.front() == '%';
}

bool ArffReader::take(char mark) {
  skip_blanks();
  if (left_.empty() || left_.front() != mark) return false;
  left_.remove_prefix(1);
  return true;
}

ArffWord ArffReader::word() {
  if (line_ended()) return {};
  if (left_.front() == '\'' || left_.front() == '"') return quoted_word();
  const std::size_t end = std::min(left_.find_first_of(" \t,{}"), left_.size());
  const std::string_view word = left_.substr(0, end);
  left_.remove_prefix(end);
  return {word, false};
}

ArffWord ArffReader::quoted_word() {
  const char quote = left_.front();
  bool escaped = false;
  std::size_t end = 1;
  while (end < left_.size() && left_[end] != quote) {
    const bool backslash = left_[end] == '\\';
    escaped |= backslash;
    end += backslash ? 2 : 1;
  }
  if (end >= left_.size()) {
    refuse(
        "a quote is not closed on its line; close it, or put \\ before one that belongs to the "
        "text");
  }
  const std::string_view content = left_.substr(1, end - 1);
  left_.remove_prefix(end + 1);
  if (!escaped) return {content, true};
  unescaped_.clear();
  for (std::size_t i = 0; i < content.size(); ++i) {
    unescaped_ += content[i] == '\\' ? unescape(content[++i]) : content[i];
  }
  return {unescaped_, true};
}

std::string_view ArffReader::rest() { return trim(std::exchange(left_, {})); }

void ArffReader::refuse(std::string_view sentence) const {
  throw DataError(fmt::format("{}:{}: {}", path_, line_, sentence));
}

}  // namespace kernmix
