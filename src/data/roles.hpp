#pragma once
/// \file
/// Roles of the columns of a file with a header, and parsing of their fields.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// `flag` is a column of the label matrix.
enum class Role : char { value, label, flag, id, skipped };

/// One role for each column of the header.
[[nodiscard]] std::vector<Role> roles_of(const InputFile& file, const ReadOptions& options);

/// Writes the names of value and flag columns into `table`.
void name_by_role(const InputFile& file, const std::vector<Role>& roles, Table& table);

/// Prefix of a message: "file:line: column 'name': ".
[[nodiscard]] std::string place(const InputFile& file, Index line, const std::string& column);

/// Throws a DataError: the cell is missing.
[[noreturn]] void refuse_missing(const InputFile& file, Index line, const std::string& column,
                                 std::string_view text);

/// Throws a DataError with the reason why `text` is not a number, and the remedy.
[[noreturn]] void refuse_value(const InputFile& file, Index line, const std::string& column,
                               std::string_view text, const ReadOptions& options);

/// The cell is missing: empty, NA, ... or one of ReadOptions::na.
[[nodiscard]] bool is_missing_cell(std::string_view text, const ReadOptions& options);

/// The same where words may stand: in a column of words, or of labels, groups or ids. There an item
/// `!TEXT` of ReadOptions::na, a name or a glob, says that TEXT does not mean missing.
[[nodiscard]] bool is_missing_word(std::string_view text, const ReadOptions& options);
/// As is_missing_word(), where only the usual notations of names are missing (is_missing_name()).
[[nodiscard]] bool is_missing_name(std::string_view text, const ReadOptions& options);
/// "--na '!NA'", the option by which a text that is read as missing becomes a word.
[[nodiscard]] std::string option_of_word(std::string_view text);
/// ", or read 'NA' as a name with --na '!NA'" for a text in letters that is read as missing, or "".
[[nodiscard]] std::string remedy_of_name(std::string_view text);

/// The code of each word.
[[nodiscard]] std::unordered_map<std::string, double> codes_of(
    const std::vector<std::string>& words);

/// The code of `text` in a categorical column. \throws DataError for other words
[[nodiscard]] double code_of(const InputFile& file, Index line, const std::string& column,
                             const std::string& text,
                             const std::unordered_map<std::string, double>& codes,
                             const std::vector<std::string>& words);

/// Throws a DataError: the model does not know the word `text`.
[[noreturn]] void refuse_category(const InputFile& file, Index line, const std::string& column,
                                  std::string_view text, const std::vector<std::string>& words);

/// \throws DataError when `text` is a missing label or id. \param what  "label" or "sample id"
void require_name(const InputFile& file, Index line, const std::string& column,
                  std::string_view text, std::string_view what, const ReadOptions& options);

/// What an indicator of a label can be.
enum class Flag : char { no, yes, invalid, mixed };

/// Reads the fields of flag columns: 0 and 1, -1 and 1, or false and true.
class FlagReader {
 public:
  explicit FlagReader(const InputFile& file);

  /// `mixed` in a column with both 0 and -1, one of which may mean "unknown".
  Flag look(std::size_t column, std::string_view text);
  /// 1 if the sample has the label of this column, otherwise 0. \throws DataError for other flags
  unsigned char read(std::size_t column, std::string_view text, Index line);

 private:
  const InputFile& file_;
  std::vector<char> negative_;  ///< notation of "no" in each column: '0', '-' or, while unknown, 0
};

/// Faults of flags after their text, and remedies.
inline constexpr const char* flag_fault = " is not a label indicator";
inline constexpr const char* flag_remedy =
    "write 1 if the sample has the label, otherwise 0, and remove samples with unknown labels";
[[nodiscard]] std::string mixed_flag_fault(std::string_view text);
inline constexpr const char* mixed_flag_remedy =
    "write the labels as 0 and 1 or as -1 and 1, and remove samples with unknown labels";

/// The flag in `text`: '1' (yes), '0' or '-' (-1); 0 if it is not a flag.
[[nodiscard]] char parse_flag(std::string_view text);

}  // namespace kernmix
