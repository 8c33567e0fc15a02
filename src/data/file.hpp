#pragma once
/// \file
/// Input files before parsing.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

/// The name of an unnamed first column, which has row names.
inline constexpr const char* row_names_column = "row.names";

/// The path of standard input in messages.
inline constexpr const char* standard_input = "standard input";

struct FileTable;
struct InputFile;

/// A table in a file of arrays, whose columns are known before their values are read.
class StoredTable {
 public:
  virtual ~StoredTable() = default;
  /// Reads the columns of `file.header` that have a use.
  [[nodiscard]] virtual FileTable read(const InputFile& file, const ReadOptions& options) const = 0;
};

/// One file of a read_table call, or one table in a file of arrays.
struct InputFile {
  std::string path;
  std::string name;                ///< NAME of "NAME=FILE", or the stem of the file name
  std::string text;                ///< in UTF-8, without a byte order mark; the bytes of NPY files
  std::string encoding = "UTF-8";  ///< before it was decoded
  FileFormat format = FileFormat::automatic;
  char separator = ',';                ///< CSV and TSV
  bool declared_separator = false;     ///< by a first line "sep=X"
  Index skipped_lines = 0;             ///< before the header: "sep=X" or comments
  std::string label_called = "label";  ///< in messages
  bool numbered = false;               ///< columns are named "1".."D"
  std::vector<std::string> header;     ///< column names; CSV, TSV and ARFF
  bool row_names = false;              ///< the first column has row names instead of a feature
  std::vector<std::size_t> unnamed;    ///< other columns without names in the file
  /// Names that several columns have in the file, and the name that the second one is given.
  std::vector<std::pair<std::string, std::string>> repeated;
  std::vector<std::string> notes;  ///< for Table::notes
  Index declared_labels = 0;       ///< ARFF of MEKA: the first n columns are labels; < 0: the last
  std::vector<std::string> label_columns;   ///< columns of the label matrix
  std::vector<std::string> target_columns;  ///< columns to predict
  /// From a model: the words of categorical columns, in the order of their codes.
  std::unordered_map<std::string, std::vector<std::string>> categories;
  bool of_model = false;  ///< words in other columns are errors
  /// From a model: the words of columns that become indicators.
  std::unordered_map<std::string, std::unordered_set<std::string>> levels;
  /// From a model: columns that it calls NAME.COLUMN, after this file, and knows by no other name.
  std::unordered_set<std::string> with_prefix;
  /// Columns whose words are numbered, with their order, or none.
  std::unordered_map<std::string, std::vector<std::string>> words;
  bool finds_words = false;  ///< other columns without any number hold words, too
  std::unordered_set<std::string>
      watched;  ///< columns that are not parsed but whose words are kept
  std::shared_ptr<const StoredTable> stored;  ///< in a file of arrays, in place of `text`
  std::string container;                      ///< this file of arrays
  std::vector<std::string> ids;               ///< the names that it gives its samples
  bool annotation = false;                    ///< its columns are labels, ids and the like only
};

/// The result of parsing one file.
struct FileTable {
  Table table;
  std::vector<Index> lines;  ///< 1-based line of each sample
  /// The words of InputFile::watched.
  std::unordered_map<std::string, std::vector<std::string>> watched;
};

/// The names of all label columns and targets that the options select, after the join.
struct ColumnRoles {
  std::vector<std::string> labels;
  std::vector<std::string> targets;
};

// The steps of read_table(), defined beside it.

/// Reads the names of the columns, which some formats only number.
void read_names(InputFile& file, bool has_header);

/// Opens the files of read_table() and reads their names.
[[nodiscard]] std::vector<InputFile> open_inputs(const std::vector<std::string>& files,
                                                 const ReadOptions& options);

/// Checks the columns that the options name against the headers, and tells each file the roles of
/// its columns.
ColumnRoles prepare_inputs(std::vector<InputFile>& inputs, const ReadOptions& options);

/// The table of files whose names are read.
[[nodiscard]] Table read_inputs(std::vector<InputFile> inputs, const ReadOptions& options);

/// \throws ResourceError if the context requests a stop. Readers call this every few rows.
void stop_reading_if_asked(const std::string& path, const Context& context);

/// \throws DataError if it is missing, a folder or unreadable
[[nodiscard]] Descriptor open_to_read(const std::string& path);

/// All bytes of a file, or of a pipe. \throws DataError if it is missing, a folder, unreadable or
/// empty, ResourceError if it exceeds the memory budget or the context requests a stop
[[nodiscard]] std::string read_file(const std::string& path, const Context& context = {});

/// "csv", ..., "npy"; "auto" for the format that the content decides.
[[nodiscard]] std::string file_format_name(FileFormat format);
/// The format with this name, if there is one.
[[nodiscard]] std::optional<FileFormat> find_format(std::string_view name);

/// The same from an open file, of which `bytes` are read already.
[[nodiscard]] std::string read_rest(const Descriptor& in, const std::string& path,
                                    std::string bytes, const Context& context);

/// Appends the next available bytes, up to `most`; false at the end.
[[nodiscard]] bool read_more(const Descriptor& in, const std::string& path, std::size_t most,
                             const Context& context, std::string& bytes);

/// True if `bytes` begin with the signature of .npy files.
[[nodiscard]] bool is_npy(std::string_view bytes);

/// The path without the ending .gz, which the format and the name of a compressed file do not have.
[[nodiscard]] std::string path_without_gz(const std::string& path);
/// The name of a file that is given without a name: its stem.
[[nodiscard]] std::string name_of_file(const std::string& path);

/// Path and name of "FILE" or "NAME=FILE"; "-" is standard input.
[[nodiscard]] InputFile name_input(const std::string& specification);
/// The path to open.
[[nodiscard]] std::string place_of_input(const InputFile& file);
/// Unpacks `file.text` if it is compressed by gzip, determines its format, and decodes it.
/// \throws as open_input()
void recognise_text(InputFile& file, FileFormat format, const Context& context);
[[nodiscard]] std::string note_of_encoding(const InputFile& file);
/// CSV or TSV, if the beginning of a text, in `file.text`, is of such a file, and not in UTF-16.
[[nodiscard]] std::optional<FileFormat> csv_format_of(const InputFile& file, FileFormat format);
/// The memory budget, or half of the memory of the machine.
[[nodiscard]] std::size_t memory_allowed(const Context& context);

/// Reads "FILE" or "NAME=FILE" and determines its format without parsing it.
/// Text in UTF-16 and Windows-1252 is decoded, and gzip files are unpacked.
/// \throws DataError also for compressed and other binary files
[[nodiscard]] InputFile open_input(const std::string& specification, FileFormat format,
                                   const Context& context = {});

/// \param beside bytes in use at the same time: text, labels, ids, line numbers
/// \throws ResourceError when `rows` x `columns` numbers with column names exceed the allowance
void require_table_memory(const std::string& path, Index rows, Index columns,
                          std::size_t memory_bytes, std::size_t beside = 0);

/// \throws ResourceError when `count` numbers exceed the allowance
void require_memory_of_numbers(const std::string& path, Index count, const Context& context);

/// The numbers among ReadOptions::na.
[[nodiscard]] Vector codes_of_missing(const ReadOptions& options);

/// Numbers of a file of numbers with such a code, also as numbers of 4 bytes round it, become
/// missing.
void mark_missing(Vector& values, const ReadOptions& options);

/// Of a table that was read as numbers: cells with a code of ReadOptions::na become missing, and
/// missing ones stay if the options keep them. \param values row by row
/// \throws DataError naming a cell that is not finite, and missing ones unless they are kept
void settle_numbers(Vector& values, Index columns, const std::string& path,
                    const ReadOptions& options);

/// \throws ResourceError when `bytes` exceed the allowance
void require_memory_of_bytes(const std::string& path, std::size_t bytes, const Context& context);

/// The message with the memory that other inputs hold.
[[nodiscard]] std::string beside_others(const std::string& message, std::size_t held);

/// Calls read(context) with the memory that is left beside `held` bytes of other inputs, and says
/// in its ResourceError how much they hold.
template <typename Read>
auto read_beside(std::size_t held, const Context& context, const Read& read) {
  Context left = context;
  if (context.memory_bytes > 0) {
    left.memory_bytes = context.memory_bytes > held ? context.memory_bytes - held : 1;
  }
  try {
    return read(left);
  } catch (const ResourceError& error) {
    if (held == 0 || context.should_stop()) throw;
    throw ResourceError(beside_others(error.what(), held));
  }
}
/// "1", "2", ..., "count".
[[nodiscard]] std::vector<std::string> numbered_columns(Index count);

}  // namespace kernmix
