#pragma once
/// \file
/// The grammar of CSV (RFC 4180), one field at a time.

#include <string>
#include <string_view>

#include "kernmix/types.hpp"

namespace kernmix {

/// Walks over the fields of a text. Records end at LF, CRLF or CR; blank lines are skipped; blanks
/// around fields without quotes do not count. Borrows the text.
class CsvReader {
 public:
  CsvReader(std::string_view text, char separator, std::string path);

  /// Moves to the next record; false at the end of the text.
  bool next_record();

  /// The next field of the record, valid until the next call; requires !record_ended().
  /// \throws DataError for a quote that is never closed, or followed by more text
  std::string_view field();

  /// Whether that field stood in quotes.
  [[nodiscard]] bool quoted() const { return quoted_; }

  /// Takes the next field if it is plainly a finite number (the quick way; field() and
  /// parse_number() take every way of writing it); requires !record_ended().
  bool number(double& value);

  /// True when the field read last was the last of its record.
  [[nodiscard]] bool record_ended() const { return ended_; }

  /// The 1-based line on which the record begins.
  [[nodiscard]] Index line() const { return record_line_; }

  /// Skips the rest of the record and says how many fields that were.
  Index skip_rest();

 private:
  std::string_view quoted_field();
  [[nodiscard]] bool at_field_end(const char* position) const;
  void end_field();
  void end_line();

  const char* next_;
  const char* end_;
  char separator_;
  bool ended_ = true;
  bool quoted_ = false;
  Index line_ = 1;
  Index record_line_ = 1;
  std::string path_;
  std::string unquoted_;  ///< of the last field with doubled quotes
};

/// The separator of a CSV text: whichever of `candidates` its first line has most often outside of
/// quotes; the first of them when it has none.
[[nodiscard]] char detect_separator(std::string_view text, std::string_view candidates);

}  // namespace kernmix
