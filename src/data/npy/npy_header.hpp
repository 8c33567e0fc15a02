#pragma once
/// \file
/// The header of an .npy file: a Python dictionary with exactly three keys.

#include <string>
#include <string_view>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

struct NpyHeader {
  char kind = 'f';  ///< f: floating point, i: signed, u: unsigned, b: boolean, U, S: text
  std::size_t item_bytes = 8;  ///< f: 4 or 8; i, u: 1, 2, 4 or 8; U: 4 for each character
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<Index> shape;    ///< one to three extents, >= 0; in archives also none
  std::size_t data_begin = 0;  ///< position of the first value
};

/// \param in_archive  of NPZ, where texts and single values have a use
/// \throws DataError for an invalid header; allocates no memory in proportion to its sizes
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, const std::string& path,
                                         bool in_archive = false);

/// Number of entries of the array. \throws DataError if it is 0 or does not match the size of the
/// file. \param data_bytes bytes after the header
[[nodiscard]] std::size_t npy_numbers(const NpyHeader& header, std::size_t data_bytes,
                                      const std::string& path);

/// out = the numbers at `bytes`.
void convert_npy(const NpyHeader& header, const char* bytes, MutableSpan out);

}  // namespace kernmix
