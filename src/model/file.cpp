#include "model/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

std::string reason() { return std::generic_category().message(errno); }

/// An open file descriptor; closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& file, int flags) : number_(::open(file.c_str(), flags, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

bool write_all(const Descriptor& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(out.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Makes the rename itself survive a power cut; file systems that cannot are left alone.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor entry(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
  if (entry.is_open()) (void)::fsync(entry.number());
}

}  // namespace

void write_file(const std::string& file, std::string_view bytes) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw ResourceError(fmt::format("{}: exists and is not a regular file", file));
  }
  const std::string temporary = fmt::format("{}.{}.tmp", file, ::getpid());
  Descriptor out(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
  if (!out.is_open()) throw ResourceError(fmt::format("{}: cannot be written: {}", file, reason()));
  const bool written = write_all(out, bytes) && ::fsync(out.number()) == 0 && out.close() &&
                       std::rename(temporary.c_str(), file.c_str()) == 0;
  if (!written) {
    const std::string why = reason();
    std::filesystem::remove(temporary, ignored);
    throw ResourceError(fmt::format("{}: cannot be written: {}", file, why));
  }
  sync_folder(std::filesystem::path(file).parent_path());
}

}  // namespace kernmix
