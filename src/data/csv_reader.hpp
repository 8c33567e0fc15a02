#pragma once
/// \file
/// The grammar of CSV (RFC 4180), one field at a time.

#include <string>
#include <string_view>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// A field of a record, and whether it was quoted.
struct CsvField {
  std::string text;
  bool quoted = false;
};
using CsvRecord = std::vector<CsvField>;

/// Whether the fields have the same texts.
[[nodiscard]] bool have_same_texts(const CsvRecord& left, const CsvRecord& right);

/// Iterates over the fields of a text. Records end at LF, CRLF or CR; blank lines, records whose
/// fields are all empty, and blanks around unquoted fields are skipped. Borrows the text.
class CsvReader {
 public:
  /// \param decimal  the decimal mark of number()
  /// \param line  of the beginning of the text in its file
  CsvReader(std::string_view text, char separator, std::string path, char decimal = '.',
            Index line = 1);

  /// Moves to the next record; false at the end of the text.
  bool next_record();

  /// The next field of the record, valid until the next call; requires !record_ended().
  /// \throws DataError for a quote that is never closed, or followed by more text
  std::string_view field();

  /// Whether the last field was quoted.
  [[nodiscard]] bool quoted() const { return quoted_; }

  /// Reads the next field if it is a finite number in simple notation (a fast path; field() and
  /// parse_number() accept all notations); requires !record_ended().
  bool number(double& value);

  /// True when the field read last was the last of its record.
  [[nodiscard]] bool record_ended() const { return ended_; }

  /// The 1-based line on which the record begins.
  [[nodiscard]] Index line() const { return record_line_; }

  /// The line on which the rest of the text begins.
  [[nodiscard]] Index next_line() const { return line_; }

  /// Number of skipped records with several fields, all of them empty.
  [[nodiscard]] Index empty_records() const { return empty_records_; }

  /// Skips the rest of the record. \returns the number of skipped fields
  Index skip_rest();

  /// Whether the record, of which no field was read, has exactly these fields.
  [[nodiscard]] bool repeats(const CsvRecord& record) const;

 private:
  std::string_view quoted_field();
  [[nodiscard]] bool at_field_end(const char* position) const;
  void end_field();
  void end_line();
  [[nodiscard]] const char* end_of_empty_record() const;

  const char* next_;
  const char* end_;
  char separator_;
  char decimal_;
  Index empty_records_ = 0;
  bool ended_ = true;
  bool quoted_ = false;
  Index line_ = 1;
  Index record_line_ = 1;
  std::string path_;
  std::string unquoted_;  ///< of the last field with doubled quotes
};

/// The next record, for the first ones of a file; empty at the end of the text.
[[nodiscard]] CsvRecord read_record(CsvReader& reader);

/// The separator of a CSV text: the most frequent of `candidates` outside quotes on the first line,
/// or the first candidate.
[[nodiscard]] char detect_separator(std::string_view text, std::string_view candidates);

}  // namespace kernmix
