#pragma once
/// \file
/// Which ids of samples occurred before, in 16 bytes each.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A table of 88 bits of a hash of each id, whose chance to confuse two of ten million is below
/// 1e-12, with the line.
class KnownIds {
 public:
  /// \param path  of the file, for messages
  KnownIds(std::string path, const Context& context);

  /// \returns the line of an equal id before
  /// \throws ResourceError if the table would exceed the memory budget
  [[nodiscard]] std::optional<Index> add(std::string_view id, Index line);

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t rest = 0;  ///< 24 more bits of the hash, and the line, from 1; 0: none
  };
  [[nodiscard]] Entry& place(std::uint64_t hash, std::uint64_t rest);
  void grow();

  std::string path_;
  const Context& context_;
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace kernmix
