#include "data/arrays/separate_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/descriptor.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// A crash leaves neither lines nor a core, handlers of the program do not see it, and Ctrl-C is
/// left to the process that waits.
void be_silent() {
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(crash, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void run_and_end(const std::function<bool(const Descriptor&)>& work,
                              const Descriptor& out) {
  be_silent();
  bool done = false;
  try {
    done = work(out);
  } catch (...) {  // the process that waits throws in its place
  }
  ::_exit(done ? 0 : 1);  // no destructor of the copied process runs
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
    (void)succeeded();
  }
  /// Waits for its end.
  [[nodiscard]] bool succeeded() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0) {
      if (errno != EINTR) break;
    }
    id_ = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t id_;
};

[[noreturn]] void refuse_to_start(const std::string& place) {
  throw ResourceError(place + ": cannot be read: the system does not allow another process");
}

}  // namespace

bool in_separate_process(const std::function<bool(const Descriptor& out)>& work,
                         const std::function<void(std::string_view)>& take,
                         const std::string& place, const Context& context) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_to_start(place);
  const Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  const pid_t id = ::fork();
  if (id < 0) refuse_to_start(place);
  if (id == 0) run_and_end(work, out);
  ChildProcess child(id);
  out.close();
  std::array<char, 1 << 16> bytes{};
  for (;;) {
    constexpr int milliseconds = 50;
    stop_reading_if_asked(place, context);
    pollfd waiting = {in.number(), POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) == 0) continue;
    const ssize_t count = ::read(in.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return child.succeeded() && count == 0;
    take({bytes.data(), static_cast<std::size_t>(count)});
  }
}

}  // namespace kernmix
