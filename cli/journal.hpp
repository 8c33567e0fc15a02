#pragma once
/// \file
/// What of a long run is finished, a line each, so that a run that was cut short goes on.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Which run a journal is of: its first line.
struct JournalHead {
  std::string command;    ///< "tune"
  std::uint64_t run = 0;  ///< run_fingerprint()
  std::string part = "";  ///< "2/4"; empty: the whole run
};

/// A journal as it stands in a file.
struct JournalText {
  JournalHead head;
  std::vector<Json> entries;
  std::size_t bytes = 0;  ///< of its whole lines
};

/// A last line that was cut short is left out.
/// \param option  that names the file
/// \throws DataError for a file that is none of `kernmix COMMAND`, or is damaged
[[nodiscard]] JournalText read_journal(const std::string& option, const std::string& file,
                                       const std::string& command);

class Journal {
 public:
  /// Reads the file where it exists, else begins it, and keeps other runs from it. Without a file
  /// it keeps nothing. \throws DataError for the journal of another run, or one that is damaged
  /// \throws ResourceError where it cannot be written, or another run does so
  Journal(std::string file, const JournalHead& head);

  /// Of an earlier run.
  [[nodiscard]] const std::vector<Json>& entries() const { return entries_; }
  /// Its line is in the file when this returns. \throws ResourceError where it cannot be written
  void add(const Json& entry);

 private:
  std::string file_;
  std::vector<Json> entries_;
  std::optional<Descriptor> out_;
};

}  // namespace kernmix::cli
