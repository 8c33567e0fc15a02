#pragma once
/// \file
/// Whole files and folders: reading is that of the data layer, writing is atomic.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Writes a temporary file in the same folder, syncs it and renames it to `file`: at any time
/// `file` is either the old file or the complete new one. Symbolic links are followed as in
/// place_of(). \throws ResourceError naming the file and the reason
void write_file(const std::string& file, std::string_view bytes);

/// write_file() of bytes that come in pieces.
class FileWriter {
 public:
  /// Creates the temporary file, which is removed unless finish() is called.
  explicit FileWriter(const std::string& path);
  FileWriter(FileWriter&&) noexcept;
  ~FileWriter();
  void add(std::string_view bytes);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Before any work: creates a file in the same folder and removes it. \throws ResourceError as
/// write_file() would
void check_writable(const std::string& file);

/// A file of a folder that is replaced as a whole.
struct FolderFile {
  std::string name;
  std::string bytes;
};

/// Replaces all `ours` in `folder` by `files`. A killed process leaves the old or the new set: a
/// new folder is created next to the old one and renamed. If `folder` has other files, or cannot be
/// renamed (a link, a mount point, the working folder), old files are removed and new ones are
/// renamed one by one, so that old and new files never coexist.
/// \param ours  names that `files` may have
/// \throws ResourceError naming the folder and the reason
void write_folder(const std::string& folder, const std::vector<FolderFile>& files,
                  const std::vector<std::string>& ours);

}  // namespace kernmix
