#include "model/file/temporary.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// NAME, shortened such that file systems allow NAME.PID.NUMBER.tmp.
std::string stem_of(const std::string& name) {
  constexpr std::size_t longest = 215;
  return name.substr(0, longest);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether `name` is STEM.PID.NUMBER.tmp; STEM.tmp and STEM.2024.tmp are the user's.
bool is_temporary_of(const std::string& stem, const std::string& name) {
  if (!name.starts_with(stem + ".") || !name.ends_with(".tmp")) return false;
  if (name.size() < stem.size() + 5) return false;  // the two share a dot
  const std::string_view numbers =
      std::string_view(name).substr(stem.size() + 1, name.size() - stem.size() - 5);
  const std::size_t dot = numbers.find('.');
  return dot != std::string_view::npos && is_number(numbers.substr(0, dot)) &&
         is_number(numbers.substr(dot + 1));
}

bool is_of_kind(const struct stat& status, Temporary::Kind kind) {
  return kind == Temporary::Kind::file ? S_ISREG(status.st_mode) : S_ISDIR(status.st_mode);
}

/// Removes unlocked temporaries of the current user.
void remove_abandoned(const Place& place, Temporary::Kind kind) {
  for (const std::string& name : names_in(place.folder)) {
    if (!is_temporary_of(stem_of(place.name), name)) continue;
    const Descriptor left(place.folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat status = {};
    if (!left.is_open() || ::fstat(left.number(), &status) != 0) continue;
    if (!is_of_kind(status, kind) || status.st_uid != ::geteuid()) continue;
    if (::flock(left.number(), LOCK_EX | LOCK_NB) != 0) continue;
    if (kind == Temporary::Kind::folder) {
      remove_folder(place.folder, name);
    } else {
      (void)::unlinkat(place.folder.number(), name.c_str(), 0);
    }
  }
}

Descriptor make(const Place& place, const std::string& name, Temporary::Kind kind) {
  if (kind == Temporary::Kind::file) {
    return {place.folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW};
  }
  if (::mkdirat(place.folder.number(), name.c_str(), 0777) != 0) return Descriptor("", O_RDONLY);
  return {place.folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW};
}

bool is_linked(const Descriptor& file) {
  struct stat status = {};
  return ::fstat(file.number(), &status) == 0 && status.st_nlink > 0;
}

}  // namespace

Temporary::Temporary(const Place& place, Kind kind) : folder_(&place.folder), out_("", O_RDONLY) {
  static std::atomic<unsigned> number{0};
  remove_abandoned(place, kind);
  for (;;) {
    name_ = fmt::format("{}.{}.{}.tmp", stem_of(place.name), ::getpid(), number++);
    errno = 0;
    out_ = make(place, name_, kind);
    if (!out_.is_open() && errno == EEXIST) continue;
    if (!out_.is_open()) {
      throw ResourceError(fmt::format("{}: cannot be written: {}", place.shown, system_reason()));
    }
    // A cleanup may have taken the lock first and removed the file.
    (void)::flock(out_.number(), LOCK_EX);
    if (is_linked(out_)) return;
  }
}

Temporary::Temporary(Temporary&& other) noexcept
    : folder_(other.folder_), name_(std::exchange(other.name_, {})), out_(std::move(other.out_)) {}

Temporary::~Temporary() {
  if (name_.empty()) return;
  if (::unlinkat(folder_->number(), name_.c_str(), 0) == 0 || errno != EISDIR) return;
  remove_folder(*folder_, name_);
}

void remove_folder(const Descriptor& parent, const std::string& name) {
  const Descriptor folder(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  if (!folder.is_open()) return;
  for (const std::string& entry : names_in(folder)) {
    (void)::unlinkat(folder.number(), entry.c_str(), 0);
  }
  (void)::unlinkat(parent.number(), name.c_str(), AT_REMOVEDIR);
}

}  // namespace kernmix
