#pragma once
/// \file
/// Bytes that a library reads by the name of a file.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "survive.hpp"

namespace kernmix::fuzz {

/// A file in memory where the system has /dev/shm. It has a name of its own: libhdf5 follows links
/// such as /proc/self/fd/3 to their target, which a nameless file does not have.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) {
    const int descriptor = ::mkstemp(path_.data());
    expect(descriptor >= 0);
    expect(::write(descriptor, bytes.data(), bytes.size()) == std::ssize(bytes));
    ::close(descriptor);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static std::string folder() {
    const char* const shared = "/dev/shm";
    return std::filesystem::is_directory(shared) ? shared
                                                 : std::filesystem::temp_directory_path().string();
  }
  std::string path_ = folder() + "/kernmix-fuzz-XXXXXX";
};

}  // namespace kernmix::fuzz

/// What libhdf5 1.10 leaks where it cannot open a damaged file is none of ours.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}
