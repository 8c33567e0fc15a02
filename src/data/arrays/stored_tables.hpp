#pragma once
/// \file
/// The two forms of a table in a file of arrays: a matrix of numbers, and columns of texts.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/arrays/sparse.hpp"
#include "data/file.hpp"

namespace kernmix {

/// A matrix of numbers; its columns are never the label or the id, whatever their names.
class StoredMatrix final : public StoredTable {
 public:
  /// \param numbers  reads all, row by row
  StoredMatrix(Index rows, std::function<Vector(const Context&)> numbers)
      : rows_(rows), numbers_(std::move(numbers)) {}
  /// \param sparse  reads a sparse matrix
  StoredMatrix(Index rows, std::function<StoredSparse(const Context&)> sparse)
      : rows_(rows), sparse_(std::move(sparse)) {}
  [[nodiscard]] FileTable read(const InputFile& file, const ReadOptions& options) const override;

 private:
  [[nodiscard]] bool take_sparse(const StoredSparse& stored, const std::vector<Index>& places,
                                 const InputFile& file, const ReadOptions& options,
                                 Table& table) const;

  Index rows_;
  std::function<Vector(const Context&)> numbers_;
  std::function<StoredSparse(const Context&)> sparse_;
};

/// Reads the entries of one column, as texts that CSV could hold; NA where one is missing.
using ColumnTexts = std::function<std::vector<std::string>(const Context&)>;

/// Columns of any type. What they mean is left to the reader of CSV files; those without a use are
/// not read.
class StoredFrame final : public StoredTable {
 public:
  StoredFrame(Index rows, std::vector<ColumnTexts> columns)
      : rows_(rows), columns_(std::move(columns)) {}
  [[nodiscard]] FileTable read(const InputFile& file, const ReadOptions& options) const override;

 private:
  Index rows_;
  std::vector<ColumnTexts> columns_;  ///< of InputFile::header
};

}  // namespace kernmix
