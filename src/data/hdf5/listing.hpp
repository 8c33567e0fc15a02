#pragma once
/// \file
/// Objects and attributes of an HDF5 file, written by the process that opens it and read by the one
/// that asked.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "data/arrays/array_file.hpp"
#include "data/hdf5/handle.hpp"
#include "kernmix/context.hpp"

namespace kernmix {

/// The file, closed by the handle. Errors give no lines, and plug-ins give no code.
[[nodiscard]] Hdf5Handle open_hdf5_file(const std::string& path);

/// Writes all objects, and the attributes that readers ask for; false where writing fails or HDF5
/// cannot open the file. \param room  bytes of memory \throws std::bad_alloc if there is not enough
[[nodiscard]] bool write_listing(const std::string& path, std::size_t room, const Descriptor& out);

/// What write_listing() wrote.
struct Hdf5Listing {
  std::vector<StoredArray> arrays;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> attributes;
  bool complete = false;
  bool too_many = false;  ///< objects

  /// \param fields  one record
  void add(std::vector<std::string>&& fields);
};

/// Calls take() with each text of a stream, which zeros end.
class TextStream {
 public:
  explicit TextStream(std::function<void(std::string&&)> take) : take_(std::move(take)) {}
  void add(std::string_view piece);

 private:
  std::function<void(std::string&&)> take_;
  std::string open_;  ///< the text that has begun
};

}  // namespace kernmix
