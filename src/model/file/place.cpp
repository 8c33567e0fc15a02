#include "model/file/place.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <memory>
#include <string_view>
#include <system_error>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr int kMostLinks = 40;  // the limit of Linux

std::deque<std::string> components(std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

/// The folder in which a path starts.
Descriptor start_of(std::string_view path) {
  return Descriptor(path.starts_with('/') ? "/" : ".", O_PATH | O_DIRECTORY);
}

/// The rule of Linux: users with write access to a folder such as /tmp must not determine where
/// others write.
bool may_follow(const struct stat& link, const struct stat& folder) {
  const bool is_open_to_all = (folder.st_mode & S_IWOTH) != 0;
  return !is_open_to_all || link.st_uid == ::geteuid() || link.st_uid == folder.st_uid;
}

/// Resolves one path.
class Walk {
 public:
  explicit Walk(const std::string& path)
      : path_(path), at_(start_of(path)), rest_(components(path)) {
    if (rest_.empty()) rest_.emplace_back(".");
  }

  Place end() {
    for (;;) {
      const std::string name = rest_.front();
      rest_.pop_front();
      const bool is_last = rest_.empty();
      Descriptor next(at_, name, O_PATH | O_NOFOLLOW);
      if (!next.is_open() && (errno != ENOENT || !is_last)) refuse(system_reason());
      struct stat status = {};
      if (next.is_open() && ::fstat(next.number(), &status) != 0) refuse(system_reason());
      if (next.is_open() && S_ISLNK(status.st_mode)) {
        follow(next, status, name);
      } else if (is_last) {
        return {std::move(at_), name, path_};
      } else {
        at_ = std::move(next);
      }
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw ResourceError(fmt::format("{}: cannot be written: {}", path_, why));
  }

  void follow(const Descriptor& link, const struct stat& status, const std::string& name) {
    struct stat folder = {};
    if (::fstat(at_.number(), &folder) != 0) refuse(system_reason());
    if (!may_follow(status, folder)) {
      throw ResourceError(fmt::format(
          "{}: '{}' is a symbolic link of another user in a folder that everybody can write to; "
          "remove it, or write to another folder",
          path_, name));
    }
    if (++links_ > kMostLinks) {
      throw ResourceError(fmt::format("{}: its symbolic links do not end", path_));
    }
    std::array<char, PATH_MAX> bytes{};
    const ssize_t length = ::readlinkat(link.number(), "", bytes.data(), bytes.size());
    if (length <= 0) refuse(system_reason());
    const std::string_view target(bytes.data(), static_cast<std::size_t>(length));
    if (target.starts_with('/')) at_ = start_of(target);
    std::deque<std::string> parts = components(target);
    rest_.insert(rest_.begin(), parts.begin(), parts.end());
    if (rest_.empty()) rest_.emplace_back(".");
  }

  std::string path_;
  Descriptor at_;
  std::deque<std::string> rest_;
  int links_ = 0;
};

}  // namespace

std::string system_reason() { return std::generic_category().message(errno); }

Place place_of(const std::string& path) { return Walk(path).end(); }

std::optional<struct stat> status_of(const Place& place) {
  struct stat status = {};
  if (::fstatat(place.folder.number(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  return status;
}

std::vector<std::string> names_in(const Descriptor& folder) {
  Descriptor listed(folder, ".", O_RDONLY | O_DIRECTORY);
  const auto close = [](DIR* entries) { ::closedir(entries); };
  const std::unique_ptr<DIR, decltype(close)> entries(
      listed.is_open() ? ::fdopendir(listed.number()) : nullptr, close);
  if (!entries) return {};
  (void)listed.release();  // closedir() closes it
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

void sync_folder(const Descriptor& folder) {
  const Descriptor listed(folder, ".", O_RDONLY | O_DIRECTORY);
  if (listed.is_open()) (void)::fsync(listed.number());
}

}  // namespace kernmix
