#include "data/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

CsvReader::CsvReader(std::string_view text, char separator, std::string path, char decimal,
                     Index line)
    : next_(text.data()),
      end_(text.data() + text.size()),
      separator_(separator),
      decimal_(decimal),
      line_(line),
      path_(std::move(path)) {}

void CsvReader::end_line() {
  if (next_ == end_) return;
  const bool carriage_return = *next_++ == '\r';
  if (carriage_return && next_ != end_ && *next_ == '\n') ++next_;
  ++line_;
}

bool CsvReader::at_field_end(const char* position) const {
  return position == end_ || *position == separator_ || *position == '\n' || *position == '\r';
}

void CsvReader::end_field() {
  ended_ = next_ == end_ || *next_ != separator_;
  if (ended_) {
    end_line();
  } else {
    ++next_;
  }
}

/// The end of the line if all its fields are empty and there is more than one; otherwise null.
const char* CsvReader::end_of_empty_record() const {
  bool several = false;
  for (const char* at = next_;; ++at) {
    if (at == end_ || *at == '\n' || *at == '\r') return several ? at : nullptr;
    const bool quotes = *at == '"' && end_ - at > 1 && at[1] == '"' && at_field_end(at + 2);
    if (quotes) {
      ++at;
    } else if (*at == separator_) {
      several = several || *at != ' ';
    } else if (*at != ' ') {
      return nullptr;
    }
  }
}

bool CsvReader::next_record() {
  for (;;) {
    const char* first = next_;
    while (first != end_ && (*first == ' ' || (*first == '\t' && separator_ != '\t'))) ++first;
    if (first == end_) return false;
    const char* const empty =
        *first == separator_ || *first == '"' ? end_of_empty_record() : nullptr;
    if (empty != nullptr) {
      ++empty_records_;
      next_ = empty;
    } else if (*first == '\n' || *first == '\r') {
      next_ = first;
    } else {
      break;
    }
    end_line();
  }
  record_line_ = line_;
  ended_ = false;
  return true;
}

bool CsvReader::number(double& value) {
  if (decimal_ == separator_) return false;
  const char* const after = parse_number_prefix(next_, end_, value, decimal_);
  if (after == next_ || !at_field_end(after)) return false;
  next_ = after;
  end_field();
  return true;
}

std::string_view CsvReader::field() {
  const char* first = next_;
  while (first != end_ && *first == ' ' && separator_ != ' ') ++first;
  quoted_ = first != end_ && *first == '"';
  if (quoted_) {
    next_ = first + 1;
    return quoted_field();
  }
  const char* last = first;
  while (!at_field_end(last)) ++last;
  next_ = last;
  end_field();
  return trim({first, to_size(last - first)});
}

std::string_view CsvReader::quoted_field() {
  const Index opened = line_;
  const char* const begin = next_;
  bool doubled = false;
  for (;; ++next_) {
    if (next_ == end_) {
      throw DataError(
          fmt::format("{}:{}: a quoted field is never closed; close the quote, or double "
                      "a quote that belongs to the text",
                      path_, opened));
    }
    if (*next_ == '\n') ++line_;
    if (*next_ != '"') continue;
    if (next_ + 1 == end_ || next_[1] != '"') break;
    doubled = true;
    ++next_;
  }
  std::string_view content(begin, to_size(next_ - begin));
  ++next_;
  while (next_ != end_ && *next_ == ' ' && separator_ != ' ') ++next_;
  if (!at_field_end(next_)) {
    throw DataError(
        fmt::format("{}:{}: text follows the closing quote of field {}; double a quote "
                    "that belongs to the text",
                    path_, line_, in_quotes(content)));
  }
  end_field();
  if (!doubled) return content;
  unquoted_.clear();
  for (std::size_t i = 0; i < content.size(); ++i) {
    unquoted_ += content[i];
    if (content[i] == '"') ++i;
  }
  return unquoted_;
}

Index CsvReader::skip_rest() {
  Index skipped = 0;
  for (; !ended_; ++skipped) static_cast<void>(field());
  return skipped;
}

bool CsvReader::repeats(const CsvRecord& record) const {
  const char* letter = next_;
  while (letter != end_ && (*letter == ' ' || *letter == '"')) ++letter;
  const std::string& name = record.front().text;
  if (!name.empty() && (letter == end_ || *letter != name.front())) return false;
  CsvReader own = *this;  // only where the first letter is the same
  for (std::size_t j = 0; j < record.size(); ++j) {
    if (own.ended_ || own.field() != record[j].text) return false;
  }
  return own.ended_;
}

bool have_same_texts(const CsvRecord& left, const CsvRecord& right) {
  return std::ranges::equal(left, right, {}, &CsvField::text, &CsvField::text);
}

CsvRecord read_record(CsvReader& reader) {
  CsvRecord fields;
  if (!reader.next_record()) return fields;
  while (!reader.record_ended()) {
    std::string text(reader.field());
    fields.push_back({std::move(text), reader.quoted()});
  }
  return fields;
}

char detect_separator(std::string_view text, std::string_view candidates) {
  std::array<Index, 256> counts{};
  bool inside = false;
  for (const char c : text) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n' || c == '\r') break;
    ++counts[static_cast<unsigned char>(c)];
  }
  return *std::max_element(candidates.begin(), candidates.end(), [&](char a, char b) {
    return counts[static_cast<unsigned char>(a)] < counts[static_cast<unsigned char>(b)];
  });
}

}  // namespace kernmix
