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

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "base/descriptor.hpp"
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

[[noreturn]] void run_and_end(const std::function<bool(const Descriptor&)>& work,
                              const Descriptor& out) {
  be_silent();
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

 private:
  pid_t id_;
};

[[noreturn]] void refuse_to_start(const std::string& place) {
  throw ResourceError(
      fmt::format("{}: the process that reads it cannot start ({}); allow more memory, processes "
                  "(ulimit -u) or open files (ulimit -n)",
                  place, std::strerror(errno)));
}

}  // namespace

bool in_separate_process(const std::function<bool(const Descriptor& out)>& work,
                         const std::function<void(std::string_view)>& take,
                         const std::string& place, const Context& context) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_to_start(place);
  Descriptor in = above_streams(ends[0]);
  Descriptor out = above_streams(ends[1]);
  if (!in.is_open() || !out.is_open()) refuse_to_start(place);
  const pid_t id = ::fork();
  if (id < 0) refuse_to_start(place);
  if (id == 0) {
    in.close();  // or writing would never fail
    run_and_end(work, out);
  }
  ChildProcess child(id);
  out.close();
  std::array<char, 1 << 16> bytes{};
  for (;;) {
    constexpr int milliseconds = 50;
    stop_reading_if_asked(place, context);
    pollfd waiting = {in.number(), POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) continue;  // nothing came, or a signal
    const ssize_t count = ::read(in.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int code = child.ended();
      if (code == files_code) {
        errno = EMFILE;
        refuse_to_start(place);
      }
      if (code != memory_code) return code == done_code && count == 0;
      throw ResourceError(place + ": the process that reads it ran out of memory; allow more");
    }
    take({bytes.data(), static_cast<std::size_t>(count)});
  }
}

}  // namespace kernmix
