#pragma once
/// \file
/// An .npy file that is read in parts on demand.

#include <sys/stat.h>

#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "data/npy/npy_header.hpp"
#include "kernmix/given_matrix.hpp"

namespace kernmix {

class NpyFile {
 public:
  /// Reads the header, and compares it with the length of the file.
  /// \throws DataError
  explicit NpyFile(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const NpyHeader& header() const { return header_; }
  /// Number of matrices, over the last two of two or three dimensions. \throws DataError for one
  /// dimension
  [[nodiscard]] Index matrices() const;
  [[nodiscard]] Index rows() const { return header_.shape[header_.shape.size() - 2]; }
  [[nodiscard]] Index cols() const { return header_.shape.back(); }

  /// out = the numbers from `first` on, in the order of the file.
  /// \throws DataError for a value that is not finite, or if the file has changed or is unreadable
  void numbers(Index first, MutableSpan out) const;
  /// Tells the system that `count` numbers from `first` on are read soon, in any order.
  void announce(Index first, Index count) const;

 private:
  void read(std::size_t place, char* out, std::size_t count) const;
  void require_unchanged() const;
  [[noreturn]] void refuse(Index place, double value) const;

  std::string path_;
  Descriptor file_;
  struct stat at_first_;
  NpyHeader header_;
};

/// The matrices of a file without copying. \throws DataError if they are interleaved or missing
[[nodiscard]] std::vector<GivenMatrix> matrices_of(const std::shared_ptr<const NpyFile>& file);

/// True if the entries of a matrix are not contiguous: a stack in Fortran order.
[[nodiscard]] bool interleaved(const NpyFile& file);

}  // namespace kernmix
