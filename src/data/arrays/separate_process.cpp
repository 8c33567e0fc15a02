#include "data/arrays/separate_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>

#include "base/descriptor.hpp"
#include "base/memory/memory_text.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr int done_code = 0;
constexpr int refused_code = 1;
constexpr int memory_code = 2;
constexpr int files_code = 3;

/// A crash leaves neither lines nor a core, and handlers of the program do not see it. Ctrl-C is
/// left to the process that waits, with which this one ends.
void be_silent() {
  for (const int end : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM}) {
    std::signal(end, SIG_DFL);
  }
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  std::signal(SIGINT, SIG_IGN);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  if (nowhere > STDERR_FILENO) ::close(nowhere);
}

/// Whether the process may not open one more file. The work closed its own when it failed.
bool lacks_descriptors() {
  const int spare = ::open("/dev/null", O_RDONLY);
  if (spare >= 0) ::close(spare);
  return spare < 0 && (errno == EMFILE || errno == ENFILE);
}

/// A program may have closed its standard streams; the process that reads replaces one of them.
Descriptor above_streams(int number) {
  if (number > STDERR_FILENO) return Descriptor(number);
  const Descriptor low(number);
  return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// A field of /proc/self/statm, in bytes: 0 for the address space, 5 for private memory.
std::optional<std::size_t> own_memory(int field) {
  const Descriptor in("/proc/self/statm", O_RDONLY);
  std::array<char, 256> text{};
  const ssize_t count = in.is_open() ? ::read(in.number(), text.data(), text.size()) : -1;
  const char* at = text.data();
  const char* const end = at + std::max<ssize_t>(count, 0);
  std::size_t pages = 0;
  for (int k = 0; k <= field; ++k) {
    while (at != end && *at == ' ') ++at;
    const auto [next, failure] = std::from_chars(at, end, pages);
    if (failure != std::errc()) return std::nullopt;
    at = next;
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void lower_limit(int resource, std::size_t bytes) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
  ::setrlimit(resource, &limit);
}

/// Allocations beyond `bytes` fail from here on.
void limit_memory(std::size_t bytes) {
  // Address space that the allocator of each thread reserves, and never fills.
  constexpr std::size_t reserved = std::size_t{256} << 20;
  if (const auto space = own_memory(0)) lower_limit(RLIMIT_AS, *space + bytes + reserved);
  if (const auto data = own_memory(5)) lower_limit(RLIMIT_DATA, *data + bytes);
}

[[noreturn]] void run_and_end(const std::function<bool(const Descriptor&)>& work,
                              const Descriptor& out, std::size_t bytes) {
  be_silent();
  limit_memory(bytes);
  int code = refused_code;
  try {
    code = work(out) ? done_code : lacks_descriptors() ? files_code : refused_code;
  } catch (const std::bad_alloc&) {
    code = memory_code;
  } catch (const ResourceError&) {
    code = memory_code;
  } catch (...) {  // the process that waits throws in its place
  }
  ::_exit(code);  // no destructor of the copied process runs
}

/// Ends the process if it still runs.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t id) : id_(id) {}
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    (void)ended();
  }
  /// Waits for its end. \returns its exit code; of a process that the system ended, memory_code
  [[nodiscard]] int ended() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0) {
      if (errno != EINTR) break;
    }
    id_ = 0;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WTERMSIG(status) == SIGKILL ? memory_code : refused_code;
  }
  /// Processor time until now; 0 where the system does not tell it.
  [[nodiscard]] double seconds() const {
    clockid_t clock = {};
    timespec time = {};
    if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0.0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  pid_t id_;
};

[[noreturn]] void refuse_to_start(const std::string& place) {
  throw ResourceError(
      fmt::format("{}: the process that reads it cannot start ({}); allow more memory, processes "
                  "(ulimit -u) or open files (ulimit -n)",
                  place, std::strerror(errno)));
}

/// A library that runs in circles.
[[noreturn]] void refuse_silence(const std::string& place, double seconds) {
  throw DataError(
      fmt::format("{}: the library that reads it computed for {:.3g} s without a result: the file "
                  "is damaged; write it again",
                  place, seconds));
}

[[noreturn]] void refuse_memory(const std::string& place, std::size_t bytes) {
  throw ResourceError(
      fmt::format("{}: the process that reads it ran out of memory, of which {} are left for it: "
                  "allow more, or write the file again if it is damaged",
                  place, memory_text(bytes)));
}

}  // namespace

bool in_separate_process(const std::function<bool(const Descriptor& out)>& work,
                         const std::function<void(std::string_view)>& take,
                         const ProcessLimits& limits, const std::string& place,
                         const Context& context) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_to_start(place);
  Descriptor in = above_streams(ends[0]);
  Descriptor out = above_streams(ends[1]);
  if (!in.is_open() || !out.is_open()) refuse_to_start(place);
  const pid_t id = ::fork();
  if (id < 0) refuse_to_start(place);
  if (id == 0) {
    in.close();  // or writing would never fail
    run_and_end(work, out, limits.bytes);
  }
  ChildProcess child(id);
  out.close();
  std::array<char, 1 << 16> bytes{};
  double heard = 0.0;  // its processor time at the last output
  for (;;) {
    constexpr int milliseconds = 50;
    stop_reading_if_asked(place, context);
    pollfd waiting = {in.number(), POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) {  // nothing came, or a signal
      if (child.seconds() > heard + limits.silent_seconds) {
        refuse_silence(place, limits.silent_seconds);
      }
      continue;
    }
    const ssize_t count = ::read(in.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int code = child.ended();
      if (code == files_code) {
        errno = EMFILE;
        refuse_to_start(place);
      }
      if (code != memory_code) return code == done_code && count == 0;
      refuse_memory(place, limits.bytes);
    }
    heard = child.seconds();
    take({bytes.data(), static_cast<std::size_t>(count)});
  }
}

}  // namespace kernmix
