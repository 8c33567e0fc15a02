#pragma once
/// \file
/// A line of a journal: its kind, the length and the checksum of its fields, and the fields.

#include <optional>
#include <string>
#include <string_view>

#include "kernmix/types.hpp"
#include "score_range.hpp"

namespace kernmix::cli {

/// A complete line: `fields` is the text of RecordWriter.
struct JournalRecord {
  Index line = 0;  ///< from 1
  std::string kind;
  std::string fields;
};

/// Writes fields in sequence.
class RecordWriter {
 public:
  void whole(Index value) { word(std::to_string(value)); }
  void flag(bool value) { word(value ? "yes" : "no"); }
  /// Doubles are restored exactly. \param value finite
  void number(double value);
  /// Nothing for absent or nonfinite values.
  void optional_number(const std::optional<double>& value);
  void numbers(ConstSpan values);
  void word(std::string_view text);

  [[nodiscard]] const std::string& fields() const { return fields_; }

 private:
  std::string fields_;
};

/// Reads fields in the order of writing and checks their type and range. \throws DataError "has
/// fold = '7' instead of ..." otherwise
class RecordReader {
 public:
  /// \param fields  must outlive it
  explicit RecordReader(std::string_view fields) : rest_(fields) {}

  [[nodiscard]] Index whole(const char* name, Index first, Index last);
  [[nodiscard]] bool flag(const char* name);
  [[nodiscard]] double number(const char* name);
  /// A number >= 0.
  [[nodiscard]] double amount(const char* name);
  /// A number in this range, or nothing.
  [[nodiscard]] std::optional<double> optional_number(const char* name, ScoreRange range);
  /// Either no numbers or `length` numbers.
  [[nodiscard]] Vector numbers(const char* name, Index length);
  [[nodiscard]] std::string_view word(const char* name);
  /// Checks that no field remains. \throws DataError
  void end() const;

 private:
  std::string_view rest_;
};

/// "KIND LENGTH CHECKSUM FIELDS", without a line break.
[[nodiscard]] std::string record_line(const std::string& kind, const std::string& fields);

/// Nothing for a damaged line.
[[nodiscard]] std::optional<JournalRecord> record_of_line(std::string_view line);

}  // namespace kernmix::cli
