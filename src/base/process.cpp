#include "kernmix/process.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "base/blas_threads.hpp"
#include "base/memory/memory_text.hpp"
#include "kernmix/types.hpp"

namespace kernmix {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kProgram = 192 * kMiB;  ///< libraries, main thread, a little data
constexpr std::size_t kThread = 160 * kMiB;   ///< its stack, heap, and buffer in OpenBLAS
constexpr int kMostThreads = 4096;

/// The number in a file with one number; unlimited for "max" and missing files.
std::size_t number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::size_t value = 0;
  return stream >> value ? value : kUnknown;
}

std::size_t left_of(std::size_t limit, std::size_t used) {
  if (limit == kUnknown || used == kUnknown) return kUnknown;
  return limit > used ? limit - used : 1;
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

/// Memory that a control group and its parents up to `root` leave.
std::size_t left_by_groups(const fs::path& root, const fs::path& group, const char* limit,
                           const char* used) {
  std::size_t least = kUnknown;
  for (fs::path path = group.relative_path();; path = path.parent_path()) {
    const fs::path folder = root / path;
    least = std::min(least, left_of(number_in(folder / limit), number_in(folder / used)));
    if (path.empty()) return least;
  }
}

std::string text_of(const char* file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::size_t address_space() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return limit.rlim_cur;
}

std::size_t address_space_left(int threads) {
  const std::size_t pages = number_in("/proc/self/statm");
  if (pages == kUnknown) return kUnknown;
  const std::size_t used = pages * to_size(sysconf(_SC_PAGESIZE));
  return left_of(address_space(), used + to_size(threads) * kThread);
}

}  // namespace

std::optional<std::size_t> control_group_memory(const fs::path& root,
                                                const std::string& membership) {
  std::size_t least = kUnknown;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {  // number:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {  // version 2
      least = std::min(least, left_by_groups(root, group, "memory.max", "memory.current"));
    } else if (controllers == "memory") {
      least = std::min(least, left_by_groups(root / "memory", group, "memory.limit_in_bytes",
                                             "memory.usage_in_bytes"));
    }
  }
  if (least == kUnknown) return std::nullopt;
  return least;
}

std::size_t default_memory_budget(int threads) {
  const auto groups = control_group_memory("/sys/fs/cgroup", text_of("/proc/self/cgroup"));
  const std::size_t available =
      std::min({available_memory(), groups.value_or(kUnknown), address_space_left(threads)});
  return available == kUnknown ? 0 : available / 5 * 4;
}

int threads_in_address_space() {
  const std::size_t space = address_space();
  if (space <= kProgram) return 0;
  return static_cast<int>(std::min<std::size_t>((space - kProgram) / kThread, kMostThreads));
}

std::string address_space_refusal() {
  const int started = openblas_get_num_threads == nullptr ? 1 : openblas_get_num_threads();
  if (started <= threads_in_address_space()) return "";
  const std::size_t needed = kProgram + to_size(started) * kThread;
  return fmt::format("the address space is limited to {} (ulimit -v), {} are needed; allow more{}",
                     memory_text(address_space()), memory_text(needed),
                     started > 1 ? ", or set OPENBLAS_NUM_THREADS=1" : "");
}

std::size_t peak_memory_bytes() {
  // getrusage() would include the peak of the parent process.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view name = "VmHWM:";
    if (line.starts_with(name)) return std::stoull(line.substr(name.size())) * 1024;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return to_size(usage.ru_maxrss) * 1024;
}

}  // namespace kernmix
