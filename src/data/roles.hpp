#pragma once
/// \file
/// What the columns of a file with a header are for, and how their fields are read.

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

/// Where a message points to: "file:line: column 'name': ".
[[nodiscard]] std::string place(const InputFile& file, Index line, const std::string& column);

/// Says why `text` is no number, and the remedy.
[[noreturn]] void refuse_value(const InputFile& file, Index line, const std::string& column,
                               std::string_view text);

/// The place of each word.
[[nodiscard]] std::unordered_map<std::string, double> codes_of(
    const std::vector<std::string>& words);

/// The number that `text` stands for in a column of words. \throws DataError for other words
[[nodiscard]] double code_of(const InputFile& file, Index line, const std::string& column,
                             const std::string& text,
                             const std::unordered_map<std::string, double>& codes,
                             const std::vector<std::string>& words);

/// Says that the model does not know the word `text`.
[[noreturn]] void refuse_category(const InputFile& file, Index line, const std::string& column,
                                  std::string_view text, const std::vector<std::string>& words);

/// \throws DataError when `text` is a missing label or id. \param what  "label" or "sample id"
void require_name(const InputFile& file, Index line, const std::string& column,
                  std::string_view text, std::string_view what);

/// Reads the fields of flag columns: 0 and 1, -1 and 1, or false and true.
class FlagReader {
 public:
  explicit FlagReader(const InputFile& file);

  /// 1 where the sample has the label of this column, else 0.
  /// \throws DataError for other texts, and for a column with both 0 and -1, where one of them may
  /// mean that it is not known
  unsigned char read(std::size_t column, std::string_view text, Index line);

 private:
  const InputFile& file_;
  std::vector<char> negative_;  ///< how each column writes "no": '0', '-' or, so far unknown, 0
};

/// How `text` reads as a flag: '1' (yes), '0' or '-' (-1); 0 when it does not.
[[nodiscard]] char parse_flag(std::string_view text);

}  // namespace kernmix
