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

struct FileWriter::State {
  explicit State(const std::string& file)
      : path(file), place(place_of(file)), replaced(status_of(place)) {
    if (replaced && !S_ISREG(replaced->st_mode)) {
      throw ResourceError(fmt::format("{}: exists and is not a regular file", path));
    }
    made.emplace(place, Temporary::Kind::file);
  }
  void require(bool written) const {
    if (!written)
      throw ResourceError(fmt::format("{}: cannot be written: {}", path, system_reason()));
  }

  std::string path;
  Place place;
  std::optional<struct stat> replaced;
  std::optional<Temporary> made = std::nullopt;
};

FileWriter::FileWriter(const std::string& path) : state_(std::make_unique<State>(path)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

void FileWriter::add(std::string_view bytes) {
  state_->require(write_all(state_->made->out(), bytes));
}

void FileWriter::finish() {
  const Place& place = state_->place;
  Temporary& made = *state_->made;
  const int folder = place.folder.number();
  state_->require(keep_permissions(state_->replaced, made.out()) &&
                  ::fsync(made.out().number()) == 0 &&
                  ::renameat(folder, made.name().c_str(), folder, place.name.c_str()) == 0);
  made.keep();
  sync_folder(place.folder);
}

void write_file(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  file.add(bytes);
  file.finish();
}

}  // namespace kernmix
