#pragma once
/// \file
/// Files that hold several arrays by name: NPZ, HDF5 and MATLAB files.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/arrays/sparse.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

enum class ArrayContent : char { numbers, texts, group, other };

/// One array, or a group of arrays, as the file describes it.
struct StoredArray {
  std::string path;  ///< "X"; in HDF5 files "/layers/counts"
  ArrayContent content = ArrayContent::other;
  std::string type;          ///< for the reader: "float64", "text", "cell array"
  std::vector<Index> shape;  ///< in C order; empty for one value, and for groups
  std::string refusal;       ///< of `other`: why it is not read, and the remedy
  /// The last position is the one over matrices where both may be, as MATLAB users store them.
  bool stacked_last = false;
  bool sparse = false;  ///< ArrayFile::sparse reads it

  [[nodiscard]] std::string name() const { return path.substr(path.rfind('/') + 1); }
  /// Number of entries if it is a vector, or a matrix with a single row or column; otherwise -1.
  [[nodiscard]] Index entries() const;
};

/// "(3, 4)"
[[nodiscard]] std::string shape_text(const std::vector<Index>& shape);

class ArrayFile {
 public:
  explicit ArrayFile(std::string path) : path_(std::move(path)) {}
  virtual ~ArrayFile() = default;
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::vector<StoredArray>& arrays() const { return arrays_; }
  /// Null if there is none of this path; a leading '/' may be left out.
  [[nodiscard]] const StoredArray* find(std::string_view path) const;
  /// FILE:PATH, as messages name it and users write it.
  [[nodiscard]] std::string place(const StoredArray& array) const {
    return path_ + ":" + array.path;
  }

  /// All numbers in C order. \throws DataError, and ResourceError if they exceed the memory budget
  /// or the context says stop
  [[nodiscard]] virtual Vector numbers(const StoredArray& array, const Context& context) const = 0;
  /// The parts of an array that is `sparse`.
  [[nodiscard]] virtual StoredSparse sparse(const StoredArray& /*array*/,
                                            const Context& /*context*/) const {
    return {};
  }
  /// All texts of an array of texts, as `numbers`.
  [[nodiscard]] virtual std::vector<std::string> texts(const StoredArray& array,
                                                       const Context& context) const = 0;
  /// The texts of an attribute of a group or array in an HDF5 file, numbers as text; empty if it is
  /// missing.
  [[nodiscard]] virtual std::vector<std::string> attribute(const std::string& /*path*/,
                                                           const std::string& /*name*/) const {
    return {};
  }

 protected:
  void add(StoredArray array) { arrays_.push_back(std::move(array)); }

 private:
  std::string path_;
  std::vector<StoredArray> arrays_;
};

/// True for a regular file with the signature of a file of arrays. XLSX files have none.
[[nodiscard]] bool holds_arrays(const std::string& path);

/// Opens such a file. \throws DataError, also where this kernmix was built without its reader
[[nodiscard]] std::shared_ptr<const ArrayFile> open_arrays(const std::string& path,
                                                           const Context& context);

/// The array of this path. \throws DataError naming the arrays of the file
[[nodiscard]] const StoredArray& require_array(const ArrayFile& file, const std::string& path);

/// "X (100, 20) of float64, y (100) of text": the arrays that can be read; "no arrays" if none.
[[nodiscard]] std::string arrays_text(const ArrayFile& file);

/// Why arrays of the file are no tables, "X: holds 16-bit floats, ...; Z has the shape (40, 5, 1)":
/// those that cannot be read, and numbers with other than two dimensions; "" if there are none.
[[nodiscard]] std::string unread_matrices_text(const ArrayFile& file);

/// The entries as text: integers without a decimal point, NaN as NA.
/// \throws DataError also for integers that double precision cannot tell apart
[[nodiscard]] std::vector<std::string> entries_as_text(const ArrayFile& file,
                                                       const StoredArray& array,
                                                       const Context& context);

}  // namespace kernmix
