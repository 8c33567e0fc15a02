#pragma once
/// \file
/// What of a long run is finished, a line each, so that a run that was cut short goes on
/// (docs/reference/formats.md).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "journal_record.hpp"
#include "kernmix/context.hpp"

namespace kernmix::cli {

/// Which run a journal is of: its first line.
struct JournalHead {
  std::string command;    ///< "tune"
  std::uint64_t run = 0;  ///< run_fingerprint()
  std::string part = "";  ///< "2/4"; empty: the whole run
};

/// A journal as it stands in a file.
struct JournalText {
  std::string option;  ///< that names the file
  std::string file;
  JournalHead head;
  std::vector<JournalRecord> records;
  std::size_t bytes = 0;  ///< of its whole lines

  /// Calls `read` for each record, which must be of the kind.
  /// \throws DataError naming the line for another kind, and where `read` throws one: "lacks fold"
  void read_each(const std::string& kind,
                 const std::function<void(const JournalRecord&, RecordReader&)>& read) const;
};

/// A last line that was cut short is left out.
/// \param option  that names the file
/// \throws DataError for a file that is no journal of `kernmix COMMAND`, or is damaged
/// \throws ResourceError as read_file()
[[nodiscard]] JournalText read_journal(const std::string& option, const std::string& file,
                                       const std::string& command, const Context& context);
/// The same of the text of such a file.
[[nodiscard]] JournalText parse_journal(const std::string& option, const std::string& file,
                                        const std::string& command, std::string_view text);

class Journal {
 public:
  /// Reads the file where it exists, else begins it, and keeps other runs from it. Without a file
  /// it keeps nothing. \throws DataError for the journal of another run, or one that is damaged
  /// \throws ResourceError where it cannot be written, or another run does so
  Journal(std::string file, const JournalHead& head, const Context& context);

  /// What an earlier run left.
  [[nodiscard]] const JournalText& text() const { return text_; }
  /// Its line is in the file when this returns. \throws ResourceError where it cannot be written
  void add(const std::string& kind, const std::string& fields);

 private:
  JournalText text_;
  std::optional<Descriptor> out_;
};

}  // namespace kernmix::cli
