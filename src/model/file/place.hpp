#pragma once
/// \file
/// Where an output goes: a name in an open folder, behind all symbolic links that may be followed.

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"

struct stat;

namespace kernmix {

/// The folder stays the same one, whatever others rename while we write.
struct Place {
  Descriptor folder;
  std::string name;   ///< in the folder; never that of a symbolic link
  std::string shown;  ///< as the user named it, for messages
};

/// Follows the symbolic links of `path`, folders included. In a folder that everybody can write to
/// (/tmp), links of other users are refused, as Linux does where fs.protected_symlinks is set.
/// \throws ResourceError naming the path
[[nodiscard]] Place place_of(const std::string& path);

/// What stands at the place; nothing where there is nothing.
[[nodiscard]] std::optional<struct stat> status_of(const Place& place);

/// Names in the folder but "." and ".."; none where it cannot be listed.
[[nodiscard]] std::vector<std::string> names_in(const Descriptor& folder);

/// Makes renames survive a power cut; file systems that cannot are left alone.
void sync_folder(const Descriptor& folder);

/// "No space left on device", of errno.
[[nodiscard]] std::string system_reason();

}  // namespace kernmix
