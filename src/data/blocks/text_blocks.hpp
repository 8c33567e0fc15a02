#pragma once
/// \file
/// The text of a CSV file or pipe in blocks of whole records.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "kernmix/context.hpp"

namespace kernmix {

/// The length of the whole records at the beginning of `text`, by the grammar of CsvReader; what
/// follows is a record whose end is not known.
[[nodiscard]] std::size_t whole_records(std::string_view text, char separator);

class TextBlocks {
 public:
  /// \throws as open_to_read()
  TextBlocks(std::string path, const Context& context);

  /// Reads until at least `bytes` are pending, or to the end.
  void fill(std::size_t bytes);
  /// All has been read.
  [[nodiscard]] bool ended() const { return ended_; }
  /// What is read and not taken.
  [[nodiscard]] const std::string& pending() const { return pending_; }
  /// All that is pending and all that follows. \throws as read_file()
  [[nodiscard]] std::string take_rest();
  /// The next records, of about `bytes`; empty at the end. A longer record is a block of its own.
  /// \throws ResourceError for a record that exceeds a quarter of the memory budget
  [[nodiscard]] std::string next(std::size_t bytes, char separator);

 private:
  std::string path_;
  const Context& context_;
  Descriptor in_;
  std::string pending_;
  bool ended_ = false;
  bool at_beginning_ = true;  ///< a byte order mark, which is dropped, may follow
};

}  // namespace kernmix
