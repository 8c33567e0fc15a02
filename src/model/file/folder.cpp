#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/error.hpp"
#include "model/file/file.hpp"
#include "model/file/temporary.hpp"

namespace kernmix {
namespace {

using Files = std::vector<FolderFile>;
using FileNames = std::vector<std::string>;

[[noreturn]] void refuse(const Place& place) {
  throw ResourceError(fmt::format("{}: cannot be written: {}", place.shown, system_reason()));
}

bool holds_only(const Descriptor& folder, const FileNames& ours) {
  return std::ranges::all_of(names_in(folder), [&](const std::string& name) {
    struct stat status = {};
    return std::ranges::find(ours, name) != ours.end() &&
           ::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(status.st_mode);
  });
}

/// The working folder and folders of other users are not replaced.
bool may_be_replaced(const Place& place, const Descriptor& folder, const FileNames& ours) {
  struct stat status = {};
  struct stat working = {};
  if (place.name == "." || place.name == "..") return false;
  if (::fstat(folder.number(), &status) != 0 || ::stat(".", &working) != 0) return false;
  const bool is_working = status.st_dev == working.st_dev && status.st_ino == working.st_ino;
  return !is_working && status.st_uid == ::geteuid() && holds_only(folder, ours);
}

void write_into(const Place& place, const Descriptor& folder, const Files& files) {
  for (const FolderFile& file : files) {
    const Descriptor out(folder, file.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!out.is_open() || !write_all(out, file.bytes) || ::fsync(out.number()) != 0) refuse(place);
  }
  sync_folder(folder);
}

/// Creates a complete folder next to the place and exchanges the names. False if the system does
/// not support it.
bool replace_whole(const Place& place, const Descriptor* old, const Files& files) {
  Temporary made(place, Temporary::Kind::folder);
  struct stat status = {};
  if (old != nullptr && (::fstat(old->number(), &status) != 0 ||
                         ::fchown(made.out().number(), status.st_uid, status.st_gid) != 0 ||
                         ::fchmod(made.out().number(), status.st_mode & 07777) != 0)) {
    return false;
  }
  write_into(place, made.out(), files);
  const int parent = place.folder.number();
  const unsigned how = old != nullptr ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(parent, made.name().c_str(), parent, place.name.c_str(), how) != 0) return false;
  if (old == nullptr)
    made.keep();  // otherwise it now has the name of the old folder, which is removed
  sync_folder(place.folder);
  return true;
}

/// All files are written and synced before the first old file is removed. Old files are removed in
/// reverse order and new ones are renamed in order, so that the first file is missing only briefly.
void replace_one_by_one(const Place& place, const Descriptor& folder, const Files& files,
                        const FileNames& ours) {
  std::vector<Place> places;
  std::vector<Temporary> made;
  places.reserve(files.size());
  made.reserve(files.size());
  for (const FolderFile& file : files) {
    places.push_back({Descriptor(folder, ".", O_PATH | O_DIRECTORY), file.name, place.shown});
    made.emplace_back(places.back(), Temporary::Kind::file);
    const Descriptor& out = made.back().out();
    if (!write_all(out, file.bytes) || ::fsync(out.number()) != 0) refuse(place);
  }
  for (std::size_t k = ours.size(); k-- > 0;) {
    const bool is_replaced_first = !files.empty() && ours[k] == files.front().name;
    if (!is_replaced_first) (void)::unlinkat(folder.number(), ours[k].c_str(), 0);
  }
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (::renameat(folder.number(), made[k].name().c_str(), folder.number(),
                   files[k].name.c_str()) != 0) {
      refuse(place);
    }
    made[k].keep();
  }
  sync_folder(folder);
}

}  // namespace

void write_folder(const std::string& path, const Files& files, const FileNames& ours) {
  const Place place = place_of(path);
  const auto open = [&] { return Descriptor(place.folder, place.name, O_RDONLY | O_DIRECTORY); };
  Descriptor folder = open();
  if (!folder.is_open()) {
    if (!status_of(place) && replace_whole(place, nullptr, files)) return;
    if (::mkdirat(place.folder.number(), place.name.c_str(), 0777) != 0) refuse(place);
    folder = open();
    if (!folder.is_open()) refuse(place);
  }
  if (may_be_replaced(place, folder, ours) && replace_whole(place, &folder, files)) return;
  replace_one_by_one(place, folder, files, ours);
}

}  // namespace kernmix
