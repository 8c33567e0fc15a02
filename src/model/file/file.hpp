#pragma once
/// \file
/// Whole files and folders: reading is that of the data layer, writing is atomic.

#include <string>
#include <string_view>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Writes a temporary file in the same folder, syncs it and renames it to `file`: at every moment
/// `file` is either the old one or the whole new one. Symbolic links are followed as place_of()
/// allows. \throws ResourceError naming the file and the reason
void write_file(const std::string& file, std::string_view bytes);

/// Before any work: makes a file beside `file` and removes it. \throws ResourceError as
/// write_file() would
void check_writable(const std::string& file);

/// A file of a folder that is written as a whole.
struct FolderFile {
  std::string name;
  std::string bytes;
};

/// `files` take the place of all `ours` in `folder`. A process that is killed leaves the old set or
/// the new one: a new folder is made beside and renamed. Where `folder` holds files of others, or
/// cannot be renamed (a link, a mount point, the working folder), old files are removed and new
/// ones renamed to their names, one after the other, so that old and new never stand side by side.
/// \param ours  names that `files` may have
/// \throws ResourceError naming the folder and the reason
void write_folder(const std::string& folder, const std::vector<FolderFile>& files,
                  const std::vector<std::string>& ours);

}  // namespace kernmix
