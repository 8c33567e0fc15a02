#include "journal_record.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/text.hpp"
#include "compare/text_hash.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

constexpr std::string_view kAbsent = "-";

/// Removes the next word from `rest`.
std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

template <typename Number>
std::optional<Number> parsed(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> finite(std::string_view word) {
  const auto value = parsed<double>(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string shown(std::string_view word) {
  constexpr std::size_t most = 40;
  return in_quotes(std::string(word.substr(0, most)));
}

[[noreturn]] void refuse(const char* name, std::string_view word, const std::string& due) {
  throw DataError(fmt::format("has {} = {} instead of {}", name, shown(word), due));
}

std::string check_of(std::string_view kind, std::string_view fields) {
  return fmt::format("{:016x}", text_hash(fmt::format("{} {}", kind, fields)));
}

}  // namespace

void RecordWriter::word(std::string_view text) {
  if (!fields_.empty()) fields_ += ' ';
  fields_ += text;
}

void RecordWriter::number(double value) { word(fmt::format("{}", value)); }

void RecordWriter::optional_number(const std::optional<double>& value) {
  if (value && std::isfinite(*value)) {
    number(*value);
  } else {
    word(kAbsent);
  }
}

void RecordWriter::numbers(ConstSpan values) {
  whole(static_cast<Index>(values.size()));
  for (const double value : values) number(value);
}

std::string_view RecordReader::word(const char* name) {
  if (rest_.empty()) throw DataError(fmt::format("lacks {}", name));
  return take_word(rest_);
}

Index RecordReader::whole(const char* name, Index first, Index last) {
  const std::string_view text = word(name);
  const auto value = parsed<Index>(text);
  if (!value || *value < first || *value > last) {
    refuse(name, text, fmt::format("a whole number from {} to {}", first, last));
  }
  return *value;
}

bool RecordReader::flag(const char* name) {
  const std::string_view text = word(name);
  if (text != "yes" && text != "no") refuse(name, text, "yes or no");
  return text == "yes";
}

double RecordReader::number(const char* name) {
  const std::string_view text = word(name);
  const auto value = finite(text);
  if (!value) refuse(name, text, "a finite number");
  return *value;
}

double RecordReader::amount(const char* name) {
  const double value = number(name);
  if (value < 0.0) refuse(name, fmt::format("{}", value), "a number >= 0");
  return value;
}

std::optional<double> RecordReader::optional_number(const char* name, ScoreRange range) {
  if (rest_.starts_with(kAbsent) && (rest_.size() == 1 || rest_[1] == ' ')) {
    (void)take_word(rest_);
    return std::nullopt;
  }
  const double value = number(name);
  if (value < range.least || value > range.most) {
    refuse(name, fmt::format("{}", value),
           fmt::format("a number from {} to {}", range.least, range.most));
  }
  return value;
}

Vector RecordReader::numbers(const char* name, Index length) {
  const Index count = whole(name, 0, length);
  if (count != 0 && count != length) {
    refuse(name, std::to_string(count), fmt::format("0 or {}", length));
  }
  Vector values;
  for (Index i = 0; i < count; ++i) values.push_back(number(name));
  return values;
}

void RecordReader::end() const {
  if (!rest_.empty()) throw DataError(fmt::format("has {} after its last field", shown(rest_)));
}

std::string record_line(const std::string& kind, const std::string& fields) {
  return fmt::format("{} {} {} {}", kind, fields.size(), check_of(kind, fields), fields);
}

std::optional<JournalRecord> record_of_line(std::string_view line) {
  const std::string_view kind = take_word(line);
  const auto length = parsed<std::uint64_t>(take_word(line));
  const std::string_view check = take_word(line);
  if (!length || *length != line.size() || check != check_of(kind, line)) return std::nullopt;
  return JournalRecord{0, std::string(kind), std::string(line)};
}

}  // namespace kernmix::cli
