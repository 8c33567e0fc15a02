#pragma once
/// \file
/// Given Gram matrices and matrices of distances, in memory or elsewhere.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// A square matrix F F'.
struct MatrixFactor {
  Matrix F;                  ///< n x R
  std::uint64_t digest = 0;  ///< of the numbers from which F is computed
};

/// A matrix that is read in blocks from its storage, such as a file. Several threads may
/// read concurrently.
class MatrixReader {
 public:
  virtual ~MatrixReader() = default;
  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;
  /// out[r * length(cols) + c] = entry (rows[r], cols[c]), a finite number.
  /// \throws DataError if it cannot be read, is not finite or has changed
  virtual void block(std::span<const Index> rows, std::span<const Index> cols,
                     MutableSpan out) const = 0;
  /// Of a matrix F F'; null: of another form.
  [[nodiscard]] virtual const MatrixFactor* factor() const { return nullptr; }
};

/// The names of the samples of a matrix, as its file has them.
struct MatrixNames {
  std::vector<std::string> rows;     ///< one for each row, or empty
  std::vector<std::string> columns;  ///< one for each column, or empty
};

/// One matrix, in memory or behind a reader, which reads only the requested entries, each time.
/// Copies share the numbers or the reader; numbers may be borrowed from the caller.
class GivenMatrix {
 public:
  GivenMatrix() = default;
  GivenMatrix(ConstMatrix matrix) : memory_(std::move(matrix)) {}
  GivenMatrix(Matrix matrix) : memory_(std::move(matrix)) {}
  GivenMatrix(std::shared_ptr<const Matrix> matrix) : memory_(std::move(matrix)) {}
  GivenMatrix(std::shared_ptr<Matrix> matrix) : memory_(std::move(matrix)) {}
  GivenMatrix(std::shared_ptr<const MatrixReader> reader) : reader_(std::move(reader)) {}

  [[nodiscard]] bool empty() const { return !memory_ && !reader_; }
  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index cols() const;

  /// Null if it is not in memory.
  [[nodiscard]] const ConstMatrix* in_memory() const { return memory_ ? &*memory_ : nullptr; }
  /// Of a matrix F F', or null.
  [[nodiscard]] const MatrixFactor* factor() const { return reader_ ? reader_->factor() : nullptr; }
  /// Size in memory.
  [[nodiscard]] std::size_t bytes() const;

  /// Empty without names. Parts of a matrix have no names: join_training_matrices() and
  /// join_new_matrices() put rows and columns into the order of the samples.
  [[nodiscard]] const MatrixNames& names() const;
  void set_names(MatrixNames names);

  [[nodiscard]] Matrix whole() const;

  /// out[r * length(cols) + c] = entry (rows[r], cols[c]). \throws DataError as its reader does
  void block(std::span<const Index> rows, std::span<const Index> cols, MutableSpan out) const;

 private:
  std::optional<ConstMatrix> memory_;
  std::shared_ptr<const MatrixReader> reader_;
  std::shared_ptr<const MatrixNames> names_;  ///< null: no names
};

}  // namespace kernmix
