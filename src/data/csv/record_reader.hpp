#pragma once
/// \file
/// The records of a CSV file as samples, and their faults.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/csv/reading.hpp"
#include "data/csv_reader.hpp"
#include "data/roles.hpp"
#include "data/words/word_columns.hpp"

namespace kernmix {

/// The header of a file, which files that were concatenated repeat.
class HeaderLine {
 public:
  explicit HeaderLine(const InputFile& file);

  [[nodiscard]] bool is_repeated_by(const CsvReader& reader) const {
    return !names_.empty() && reader.repeats(names_);
  }
  /// Whether all names are numbers, so that a sample may have the same.
  [[nodiscard]] bool may_be_sample() const { return numbers_; }

 private:
  CsvRecord names_;
  bool numbers_ = false;
};

/// Reads the fields of records, one role each, and collects their faults.
class RecordReader {
 public:
  /// Everything must outlive it. \param result  receives samples and faults
  RecordReader(const InputFile& file, const ReadOptions& options, CsvReading& result);

  [[nodiscard]] const std::vector<Role>& roles() const { return roles_; }
  /// Reads a record, which may repeat the header.
  void read(CsvReader& reader);
  /// Puts the words of columns into order; finds columns without a value, and labels with decimal
  /// commas.
  void finish();
  /// A comma that can only be a decimal mark was seen.
  [[nodiscard]] bool saw_decimal_comma() const { return saw_decimal_comma_; }

 private:
  using Codes = std::unordered_map<std::string, double>;

  Vector& values() { return result_.table.table.values.values; }
  [[nodiscard]] bool is_code(double value) const;
  [[nodiscard]] bool is_code(std::string_view text) const;
  [[nodiscard]] bool is_comma(std::string_view text) const;
  /// Whether a cell of a column of features is missing, which a word of the model is not.
  [[nodiscard]] bool is_missing(std::size_t j, std::string_view text) const;
  /// Counts texts such as "none" that are read as missing in columns of words.
  void count_missing_word(std::size_t j, std::string_view text);
  void note_missing_words();
  void add(std::size_t j, Fault fault, Index line, std::string_view text);
  /// Columns without a name must be empty.
  void skip_unnamed();
  /// \param has_words  it has words that are numbered as they occur
  void add_column(std::size_t j, bool has_words);
  void refuse_repeated_names();
  void read_sample(CsvReader& reader);
  /// A sample with the numbers of the header, which is only said of the first one.
  void note_numbers_of_header(Index line);
  /// A record with another number of fields than the header.
  void leave_out(Index line, Index fields);
  void take(std::size_t j, std::string_view text, Index line);
  /// NaN; a fault unless missing cells are kept. Targets are never missing.
  double missing(std::size_t j, Index line, std::string_view text);
  double number(std::size_t j, std::string_view text, Index line);
  /// The label; numbers in another notation become plain.
  std::string label(std::size_t j, std::string_view text, Index line);
  unsigned char flag(std::size_t j, std::string_view text, Index line);

  const InputFile& file_;
  const ReadOptions& options_;
  HeaderLine header_;
  std::vector<Role> roles_;
  std::vector<char> plain_;                             ///< columns of numbers
  Vector codes_of_missing_;                             ///< ReadOptions::na that are numbers
  std::vector<std::optional<WordColumn>> open_;         ///< words that are numbered as they occur
  std::vector<const std::vector<std::string>*> words_;  ///< of columns that hold words, or null
  std::vector<Codes> codes_;                            ///< of these words
  /// Texts in letters that are read as missing, by column and text.
  std::map<std::pair<std::size_t, std::string>, Index> missing_words_;
  std::vector<std::size_t> unnamed_;  ///< columns that must be empty
  FlagReader flags_;
  CsvReading& result_;
  Problems label_faults_{NumberFormat()};  ///< labels that are numbers in another notation
  bool labels_are_numbers_ = true;
  bool saw_decimal_comma_ = false;
};

}  // namespace kernmix
