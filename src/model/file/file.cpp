#include "model/file/file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <optional>

#include "kernmix/error.hpp"
#include "model/file/temporary.hpp"

namespace kernmix {
namespace {

/// Copies the permissions of the replaced file; for a file of another user at most those of a new
/// file.
bool keep_permissions(const std::optional<struct stat>& replaced, const Descriptor& out) {
  if (!replaced) return true;
  mode_t mode = replaced->st_mode & 07777;
  if (replaced->st_uid != ::geteuid()) {
    struct stat made = {};
    if (::fstat(out.number(), &made) != 0) return false;
    mode &= made.st_mode;
  }
  return ::fchmod(out.number(), mode) == 0;
}

}  // namespace

void check_writable(const std::string& file) {
  const Place place = place_of(file);
  (void)Temporary(place, Temporary::Kind::file);
}

void write_file(const std::string& path, std::string_view bytes) {
  const Place place = place_of(path);
  const auto replaced = status_of(place);
  if (replaced && !S_ISREG(replaced->st_mode)) {
    throw ResourceError(fmt::format("{}: exists and is not a regular file", path));
  }
  Temporary made(place, Temporary::Kind::file);
  const int folder = place.folder.number();
  const bool written = write_all(made.out(), bytes) && keep_permissions(replaced, made.out()) &&
                       ::fsync(made.out().number()) == 0 &&
                       ::renameat(folder, made.name().c_str(), folder, place.name.c_str()) == 0;
  if (!written) {
    throw ResourceError(fmt::format("{}: cannot be written: {}", path, system_reason()));
  }
  made.keep();
  sync_folder(place.folder);
}

}  // namespace kernmix
