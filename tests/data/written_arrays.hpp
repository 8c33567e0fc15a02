#pragma once
/// \file
/// Bytes of .npy arrays, ZIP archives and MATLAB files for tests.

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix::test {

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::string little_endian(T value) {
  return bytes_of<T>({value});
}

inline std::string npy_bytes(const std::string& type, const std::string& shape,
                             const std::string& data) {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\0", 8) +
         little_endian(static_cast<std::uint16_t>(header.size())) + header + data;
}

/// The checksum of ZIP, bit by bit.
inline std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~sum;
}

/// An archive of stored members. \param claimed  the size that the directory states, with DEFLATE
/// as the method; 0: the true one
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members,
                          std::size_t claimed = 0) {
  std::string archive;
  std::string directory;
  for (const auto& [name, bytes] : members) {
    const bool deflated = claimed > 0;
    std::string extra;
    std::string sizes = little_endian(static_cast<std::uint32_t>(bytes.size()));
    if (deflated) {
      extra = little_endian<std::uint16_t>(1) + little_endian<std::uint16_t>(8) +
              little_endian<std::uint64_t>(claimed);
      sizes += little_endian<std::uint32_t>(0xffffffff);
    } else {
      sizes += sizes;
    }
    const std::string common = std::string("\x14\0\0\0", 4) +
                               little_endian<std::uint16_t>(deflated ? 8 : 0) +
                               std::string(4, '\0') + little_endian(checksum(bytes)) + sizes +
                               little_endian(static_cast<std::uint16_t>(name.size()));
    directory += std::string("PK\x01\x02\x14\0", 6) + common +
                 little_endian(static_cast<std::uint16_t>(extra.size())) + std::string(10, '\0') +
                 little_endian(static_cast<std::uint32_t>(archive.size())) + name + extra;
    archive += "PK\x03\x04" + common + std::string(2, '\0') + name + bytes;
  }
  const auto count = little_endian(static_cast<std::uint16_t>(members.size()));
  return archive + directory + std::string("PK\x05\x06\0\0\0\0", 8) + count + count +
         little_endian(static_cast<std::uint32_t>(directory.size())) +
         little_endian(static_cast<std::uint32_t>(archive.size())) + std::string(2, '\0');
}

struct MatDoubles {
  std::string name;
  std::vector<std::int32_t> dimensions;
  std::vector<double> values;
};

inline std::string mat_element(std::uint32_t type, const std::string& data) {
  return little_endian(type) + little_endian(static_cast<std::uint32_t>(data.size())) + data +
         std::string((8 - data.size() % 8) % 8, '\0');
}

/// A file of version 5 with arrays of doubles, values in MATLAB's order.
inline std::string mat_file(const std::vector<MatDoubles>& arrays) {
  std::string file = "MATLAB 5.0 MAT-file";
  file.resize(124, ' ');
  file += std::string("\0\x01IM", 4);
  for (const MatDoubles& array : arrays) {
    file +=
        mat_element(14, mat_element(6, little_endian<std::uint32_t>(6) + std::string(4, '\0')) +
                            mat_element(5, bytes_of(array.dimensions)) +
                            mat_element(1, array.name) + mat_element(9, bytes_of(array.values)));
  }
  return file;
}

}  // namespace kernmix::test
