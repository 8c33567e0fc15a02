#include "model/file/file.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/descriptor.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

bool write_all(const Descriptor& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(out.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(to_size(written));
  }
  return true;
}

/// Makes the rename itself survive a power cut; file systems that cannot are left alone.
void sync_folder(const fs::path& folder) {
  const Descriptor entry(folder, O_RDONLY | O_DIRECTORY);
  if (entry.is_open()) (void)::fsync(entry.number());
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The file that symbolic links lead to, whether it exists or not.
fs::path behind_links(fs::path file) {
  constexpr int most_links = 40;  // as many as Linux follows
  std::error_code failure;
  for (int link = 0; link < most_links && fs::is_symlink(file, failure); ++link) {
    file = file.parent_path() / fs::read_symlink(file, failure);
  }
  if (fs::is_symlink(file, failure)) {
    throw ResourceError(fmt::format("{}: its symbolic links do not end", file.string()));
  }
  return file;
}

/// FILE.PID.NUMBER.tmp, which takes the place of FILE. Its writer holds a lock on it, which ends
/// with the process.
struct Temporary {
  fs::path name;
  Descriptor out;
};

bool is_linked(const Descriptor& file) {
  struct stat status = {};
  return ::fstat(file.number(), &status) == 0 && status.st_nlink > 0;
}

/// A file that no other thread or process has.
Temporary make_temporary(const fs::path& file) {
  static std::atomic<unsigned> number{0};
  for (;;) {
    const fs::path name = fmt::format("{}.{}.{}.tmp", file.string(), ::getpid(), number++);
    Descriptor out(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!out.is_open() && errno == EEXIST) continue;
    if (!out.is_open()) {
      throw ResourceError(fmt::format("{}: cannot be written: {}", file.string(), reason()));
    }
    // Who cleans up may have taken the lock before us, and the file with it.
    (void)::flock(out.number(), LOCK_EX);
    if (is_linked(out)) return {name, std::move(out)};
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether `name` is FILE.PID.NUMBER.tmp, as make_temporary() names it; FILE.tmp and FILE.2024.tmp
/// are the user's.
bool is_temporary_of(const std::string& file, const std::string& name) {
  if (!name.starts_with(file + ".") || !name.ends_with(".tmp")) return false;
  if (name.size() < file.size() + 5) return false;  // the two share a dot
  const std::string_view numbers =
      std::string_view(name).substr(file.size() + 1, name.size() - file.size() - 5);
  const std::size_t dot = numbers.find('.');
  return dot != std::string_view::npos && is_number(numbers.substr(0, dot)) &&
         is_number(numbers.substr(dot + 1));
}

/// A regular file of the user who runs this: nothing else is a temporary file of ours.
bool is_own_file(const Descriptor& file) {
  struct stat status = {};
  return ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid();
}

/// Removes what killed processes left: temporary files of `file` that nobody holds a lock on.
void remove_abandoned(const fs::path& file) {
  std::error_code failure;
  for (fs::directory_iterator entry(folder_of(file), failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (!is_temporary_of(file.filename(), entry->path().filename())) continue;
    const Descriptor left(entry->path(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!left.is_open() || !is_own_file(left)) continue;
    if (::flock(left.number(), LOCK_EX | LOCK_NB) != 0) continue;
    (void)::unlink(entry->path().c_str());
  }
}

/// The permissions of the file that is replaced, where there is one.
bool keep_permissions(const fs::path& file, const Descriptor& out) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return true;
  return ::fchmod(out.number(), status.st_mode & 07777) == 0;
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  const fs::path file = behind_links(path);
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw ResourceError(fmt::format("{}: exists and is not a regular file", path));
  }
  remove_abandoned(file);
  Temporary made = make_temporary(file);
  const bool written = write_all(made.out, bytes) && keep_permissions(file, made.out) &&
                       ::fsync(made.out.number()) == 0 &&
                       ::rename(made.name.c_str(), file.c_str()) == 0;
  if (!written) {
    const std::string why = reason();
    (void)::unlink(made.name.c_str());
    throw ResourceError(fmt::format("{}: cannot be written: {}", path, why));
  }
  sync_folder(folder_of(file));
}

}  // namespace kernmix
