#pragma once
/// \file
/// A file descriptor that is closed by its destructor.

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace kernmix {

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& file, int flags)
      : number_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
  /// Opens a name in an open folder.
  Descriptor(const Descriptor& folder, const std::filesystem::path& name, int flags)
      : number_(::openat(folder.number(), name.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }
  /// Transfers the descriptor to the caller, who closes it.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace kernmix
