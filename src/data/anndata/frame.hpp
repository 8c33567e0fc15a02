#pragma once
/// \file
/// Data frames and matrices in the encoding of anndata.

#include <string>
#include <vector>

#include "data/arrays/array_file.hpp"

namespace kernmix {

/// A data frame: obs, var, or an entry of obsm.
struct AnnFrame {
  std::string path;
  std::string index;                 ///< path of the names of its rows
  std::vector<std::string> columns;  ///< names, in order
};

/// \throws DataError if it is missing or in the encoding of anndata before 0.8, with the remedy
[[nodiscard]] AnnFrame read_frame(const ArrayFile& file, const std::string& path);

/// The names of the rows.
[[nodiscard]] std::vector<std::string> row_names(const ArrayFile& file, const AnnFrame& frame,
                                                 const Context& context);

/// The entries of a column as text, NA where one is missing; words of categorical columns.
[[nodiscard]] std::vector<std::string> column_texts(const ArrayFile& file, const AnnFrame& frame,
                                                    const std::string& column,
                                                    const Context& context);

/// A matrix, dense or sparse.
struct AnnMatrix {
  std::string path;
  bool sparse = false;
  bool by_columns = false;  ///< csc
  Index rows = 0;
  Index columns = 0;
};

/// \throws DataError if it is missing, of an unknown encoding, or does not have two dimensions
[[nodiscard]] AnnMatrix describe_matrix(const ArrayFile& file, const std::string& path);

/// The parts of a sparse one.
[[nodiscard]] StoredSparse matrix_parts(const ArrayFile& file, const AnnMatrix& matrix,
                                        const Context& context);

/// "rewrite it with a current anndata: ..."
[[nodiscard]] std::string rewriting_helps(const ArrayFile& file);

/// The only text of an attribute, or "".
[[nodiscard]] std::string attribute_text(const ArrayFile& file, const std::string& path,
                                         const std::string& name);

}  // namespace kernmix
