#pragma once
/// \file
/// Sparse matrices in files: compressed rows or columns, and coordinates.

#include <string>

#include "kernmix/context.hpp"
#include "kernmix/sparse_matrix.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct SparseParts {
  Vector values;
  Vector indices;  ///< columns of compressed rows, rows of compressed columns
  Vector starts;   ///< of each row or column in `values`, and the end; coordinates: the rows
};

enum class SparseForm : char { rows, columns, coordinates };

/// A sparse matrix as a file has it.
struct StoredSparse {
  SparseForm form = SparseForm::rows;
  SparseParts parts;
  std::size_t held = 0;  ///< bytes of the file in memory
};

/// The matrix in compressed rows; entries of one place are added.
/// \param path for messages \throws DataError if the parts do not fit each other, ResourceError if
/// the matrix exceeds the memory budget
[[nodiscard]] SparseMatrix sparse_numbers(const StoredSparse& stored, Index rows, Index columns,
                                          const std::string& path, const Context& context);

/// The matrix with all its zeros, row by row; entries of one place are added.
/// \param path for messages \throws DataError if the parts do not fit each other, ResourceError if
/// the numbers exceed the memory budget
[[nodiscard]] Vector dense_numbers(const StoredSparse& stored, Index rows, Index columns,
                                   const std::string& path, const Context& context);

}  // namespace kernmix
