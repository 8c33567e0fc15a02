#pragma once
/// \file
/// The place of an output: a name in an open folder, after resolution of symbolic links.

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"

struct stat;

namespace kernmix {

/// The open folder stays the same, even if it is renamed during the write.
struct Place {
  Descriptor folder;
  std::string name;   ///< in the folder; never a symbolic link
  std::string shown;  ///< as the user named it, for messages
};

/// Follows the symbolic links of `path`, folders included. In a folder that everybody can write to
/// (/tmp), links of other users are refused, as Linux does where fs.protected_symlinks is set.
/// \throws ResourceError naming the path
[[nodiscard]] Place place_of(const std::string& path);

/// The status of the file at the place; nothing if there is no file.
[[nodiscard]] std::optional<struct stat> status_of(const Place& place);

/// Names in the folder except "." and ".."; empty if it cannot be listed.
[[nodiscard]] std::vector<std::string> names_in(const Descriptor& folder);

/// Makes renames durable; errors of file systems without this support are ignored.
void sync_folder(const Descriptor& folder);

/// Text of errno, such as "No space left on device".
[[nodiscard]] std::string system_reason();

}  // namespace kernmix
