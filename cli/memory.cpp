#include "memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace kernmix::cli {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

/// The number in a control group file; "max" and missing files are unknown.
std::size_t number_in(const char* file) {
  std::ifstream stream(file);
  std::size_t value = 0;
  return stream >> value ? value : kUnknown;
}

std::size_t available_memory() {
  std::ifstream stream("/proc/meminfo");
  std::string key;
  std::size_t kibibytes = 0;
  std::string unit;
  while (stream >> key >> kibibytes) {
    std::getline(stream, unit);
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return kUnknown;
}

std::size_t container_memory() {
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == kUnknown || used == kUnknown) return kUnknown;
  return limit > used ? limit - used : 1;
}

}  // namespace

std::size_t default_memory_budget() {
  const std::size_t available = std::min(available_memory(), container_memory());
  return available == kUnknown ? 0 : available / 5 * 4;
}

std::size_t peak_memory_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace kernmix::cli
