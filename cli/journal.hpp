#pragma once
/// \file
/// The finished parts of a long run, one on each line, so that an interrupted run can resume
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

/// The first line of a journal, which identifies its run.
struct JournalHead {
  std::string command;    ///< "tune"
  std::uint64_t run = 0;  ///< run_fingerprint()
  std::string part = "";  ///< "2/4"; empty: the whole run
};

/// The content of a journal file.
struct JournalText {
  std::string option;  ///< that names the file
  std::string file;
  JournalHead head;
  std::vector<JournalRecord> records;
  std::size_t bytes = 0;  ///< of its complete lines

  /// Calls `read` for each record, which must be of this kind. \throws DataError naming the line
  /// for another kind, and for errors of `read` ("lacks fold")
  void read_each(const std::string& kind,
                 const std::function<void(const JournalRecord&, RecordReader&)>& read) const;
};

/// An incomplete last line is ignored.
/// \param option  that names the file
/// \throws DataError for a file that is not a journal of `kernmix COMMAND`, or is damaged
/// \throws ResourceError as read_file()
[[nodiscard]] JournalText read_journal(const std::string& option, const std::string& file,
                                       const std::string& command, const Context& context);
/// The same of the text of such a file.
[[nodiscard]] JournalText parse_journal(const std::string& option, const std::string& file,
                                        const std::string& command, std::string_view text);

class Journal {
 public:
  /// Reads or creates the file, and locks it for this run. Without a file nothing is stored.
  /// \throws DataError for the journal of another run, or a damaged one \throws ResourceError if it
  /// cannot be written, or is in use by another run
  Journal(std::string file, const JournalHead& head, const Context& context);

  /// The content from an earlier run.
  [[nodiscard]] const JournalText& text() const { return text_; }
  /// The line is in the file on return. \throws ResourceError where it cannot be written
  void add(const std::string& kind, const std::string& fields);

 private:
  JournalText text_;
  std::optional<Descriptor> out_;
};

}  // namespace kernmix::cli
