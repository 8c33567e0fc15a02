#pragma once
/// \file
/// Samples with named numeric columns, as read from files.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// n samples with D named columns, and, where the file has them, labels and sample ids.
struct Table {
  std::string source;                ///< file name(s), for messages
  std::vector<std::string> columns;  ///< D names, unique
  Matrix values;                     ///< n x D, finite
  std::vector<std::string> labels;   ///< n labels as written, or empty
  std::vector<std::string> ids;      ///< n sample ids, unique, or empty
  Index unmatched = 0;               ///< samples dropped because another joined file lacks them
  [[nodiscard]] Index samples() const { return values.rows; }
};

/// A named set of columns.
struct View {
  std::string name;
  std::vector<std::string> columns;
};

enum class FileFormat { automatic, csv, tsv, libsvm, npy };

struct ReadOptions {
  FileFormat format = FileFormat::automatic;  ///< automatic: by file name ending, then content
  std::string label_column;                   ///< empty: no label is read (LIBSVM: always first)
  std::string id_column;                      ///< empty: none; required to join several files
  std::vector<std::string> ignore;            ///< columns (globs) to leave out
};

/// Reads one or more files; several are joined on `id_column` in the order of the first file, or,
/// without an id column, side by side when they have the same number of rows. Column names that
/// occur in several files get the file's stem as prefix "stem.".
/// \throws DataError naming file, line and column of anything wrong, and the remedy
[[nodiscard]] Table read_table(const std::vector<std::string>& files, const ReadOptions& options);

/// Resolves "NAME=COLUMNS" specifications; COLUMNS is a comma list of names, globs (`mean_*`),
/// 1-based positions or ranges (`3-12`, `first..last` by name). Without specifications the result is
/// one view "data" of every column, or one view per file when several were joined.
/// \throws ParameterError for an unknown column or a view that selects nothing, naming near misses
[[nodiscard]] std::vector<View> resolve_views(const std::vector<std::string>& specifications,
                                              const Table& table);

/// Columns `names` of `table` as an n x |names| matrix, in that order.
/// \throws DataError naming the missing column and the file
[[nodiscard]] Matrix select_columns(const Table& table, const std::vector<std::string>& names);

/// Reads a NumPy .npy array (float32/64 or integers, C or Fortran order, little or big endian) of
/// one to three dimensions. `shape` receives the dimensions; values come back in C order.
[[nodiscard]] Vector read_npy(const std::string& file, std::vector<Index>& shape);

/// Reads one Gram or distance matrix, or a stack of them: .npy of shape (n, n), (n, n_train) or
/// (M, n, n_train), or a .csv of numbers without header.
[[nodiscard]] std::vector<Matrix> read_matrices(const std::string& file);

}  // namespace kernmix
