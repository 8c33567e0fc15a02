#include "data/blocks/text_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/memory/memory_text.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

bool ends_line(char c) { return c == '\n' || c == '\r'; }

/// The end of the last line of a text without quotes; a last CR may be the first half of CRLF.
std::size_t end_of_last_line(std::string_view text) {
  for (std::size_t i = text.size(); i > 0; --i) {
    if (text[i - 1] == '\n' || (text[i - 1] == '\r' && i < text.size())) return i;
  }
  return 0;
}

/// Walks over fields.
class RecordScanner {
 public:
  RecordScanner(std::string_view text, char separator) : text_(text), separator_(separator) {}

  std::size_t run() {
    while (at_ < text_.size()) {
      while (separator_ != ' ' && at_ < text_.size() && text_[at_] == ' ') ++at_;
      if (at_ < text_.size() && text_[at_] == '"' && !skip_quoted()) break;
      while (at_ < text_.size() && text_[at_] != separator_ && !ends_line(text_[at_])) ++at_;
      if (at_ == text_.size() || !end_field()) break;
    }
    return whole_;
  }

 private:
  /// False if the closing quote is not certain.
  bool skip_quoted() {
    for (++at_;; at_ += 2) {
      at_ = text_.find('"', at_);
      if (at_ == std::string_view::npos || at_ + 1 == text_.size()) return false;
      if (text_[at_ + 1] != '"') break;
    }
    ++at_;
    return true;
  }
  /// False if the end of the line is not certain.
  bool end_field() {
    const char end = text_[at_++];
    if (!ends_line(end)) return true;
    if (end == '\r' && at_ == text_.size()) return false;
    if (end == '\r' && text_[at_] == '\n') ++at_;
    whole_ = at_;
    return true;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t whole_ = 0;
};

}  // namespace

std::size_t whole_records(std::string_view text, char separator) {
  if (text.find('"') == std::string_view::npos) return end_of_last_line(text);
  return RecordScanner(text, separator).run();
}

TextBlocks::TextBlocks(std::string path, const Context& context)
    : path_(std::move(path)), context_(context), in_(open_to_read(path_)) {}

void TextBlocks::fill(std::size_t bytes) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  constexpr std::string_view mark = "\xef\xbb\xbf";
  while (!ended_ && pending_.size() < bytes) {
    const std::size_t wanted = std::min(at_once, bytes - pending_.size());
    const bool begins = at_beginning_;
    ended_ = !read_more(in_, path_, wanted, context_, pending_);
    at_beginning_ = begins && pending_.size() < mark.size();
    if (begins && pending_.starts_with(mark)) pending_.erase(0, mark.size());
  }
}

std::string TextBlocks::take_rest() {
  std::string all = read_rest(in_, path_, std::move(pending_), context_);
  pending_.clear();
  ended_ = true;
  return all;
}

std::string TextBlocks::next(std::size_t bytes, char separator) {
  constexpr std::size_t share = 4;
  const std::size_t most = memory_allowed(context_) / share;
  for (std::size_t wanted = bytes;; wanted *= 2) {
    fill(wanted);
    const std::size_t whole =
        ended_ ? pending_.size() : whole_records(std::string_view(pending_), separator);
    if (whole == 0 && !ended_ && 2 * wanted <= most) continue;
    if (whole == 0 && !ended_) {
      throw ResourceError(
          fmt::format("{}: a record does not end within {}; close its quote, or allow more memory",
                      path_, memory_text(most)));
    }
    std::string block = pending_.substr(0, whole);
    pending_.erase(0, whole);
    return block;
  }
}

}  // namespace kernmix
