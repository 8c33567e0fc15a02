#pragma once
/// \file
/// Bytes that a library reads by the name of a file.

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "survive.hpp"

namespace kernmix::fuzz {

/// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : descriptor_(::memfd_create("input", 0)) {
    expect(::write(descriptor_, bytes.data(), bytes.size()) == std::ssize(bytes));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace kernmix::fuzz

/// What libhdf5 1.10 leaks where it cannot open a damaged file is none of ours.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}
