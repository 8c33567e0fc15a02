/// \file
/// Texts of HDF5 files are read in a process of its own, which a damaged file may end.

#include "data/arrays/separate_process.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "data/arrays/array_file.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

const auto ignore = [](std::string_view) {};
constexpr ProcessLimits ample = {std::size_t{1} << 28};

TEST(SeparateProcess, GivesWhatTheWorkWrites) {
  const std::string sent(1 << 20, 'x');
  std::string received;
  const bool done = in_separate_process(
      [&](const Descriptor& out) { return write_all(out, sent) && write_all(out, "end"); },
      [&](std::string_view piece) { received += piece; }, ample, "input", {});
  EXPECT_TRUE(done);
  EXPECT_EQ(received, sent + "end");
}

TEST(SeparateProcess, SurvivesEveryEnd) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM}) {
    EXPECT_FALSE(in_separate_process([signal](const Descriptor&) { return ::raise(signal) == 0; },
                                     ignore, ample, "input", {}));
  }
  EXPECT_FALSE(
      in_separate_process([](const Descriptor&) { return false; }, ignore, ample, "input", {}));
  EXPECT_FALSE(in_separate_process([](const Descriptor&) -> bool { throw DataError("no"); }, ignore,
                                   ample, "input", {}));
}

TEST(SeparateProcess, SaysThatMemoryIsShort) {
  const auto killed = [](const Descriptor&) { return ::raise(SIGKILL) == 0; };
  EXPECT_THROW((void)in_separate_process(killed, ignore, ample, "input", {}), ResourceError);
  const auto short_of_memory = [](const Descriptor&) -> bool { throw std::bad_alloc(); };
  EXPECT_THROW((void)in_separate_process(short_of_memory, ignore, ample, "input", {}),
               ResourceError);
}

/// Takes memory until there is no more, and keeps it.
bool take_memory(const Descriptor& out) {
  constexpr std::size_t step = std::size_t{1} << 20;
  std::vector<std::string> kept;
  for (std::size_t taken = 0; taken < std::size_t{1} << 30; taken += step) {
    kept.emplace_back(step, 'x');
    if (!write_all(out, "x")) return false;
  }
  return true;
}

/// Sanitizers end a process that runs out of memory.
bool has_sanitizer() {
  return ::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         ::dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
}

TEST(SeparateProcess, TakesNoMoreMemoryThanItsLimit) {
  if (has_sanitizer()) GTEST_SKIP() << "a sanitizer has another allocator";
  for (const std::size_t mebibytes : {16, 64, 128}) {
    std::size_t taken = 0;
    const auto count = [&](std::string_view piece) { taken += piece.size(); };
    const std::string message = error_of(
        [&] { (void)in_separate_process(take_memory, count, {mebibytes << 20}, "input", {}); });
    EXPECT_NE(message.find("ran out of memory"), std::string::npos) << message;
    EXPECT_LE(taken, mebibytes + 8);  // memory that was free before
    EXPECT_GE(taken, mebibytes / 2);
  }
}

TEST(SeparateProcess, EndsAfterComputingWithoutOutput) {
  const auto compute = [](const Descriptor& out) {
    volatile std::size_t steps = 0;
    while (write_all(out, "")) steps = steps + 1;
    return false;
  };
  ProcessLimits limits = ample;
  limits.silent_seconds = 0.2;
  const std::string message =
      error_of([&] { (void)in_separate_process(compute, ignore, limits, "input", {}); });
  EXPECT_NE(message.find("without a result"), std::string::npos) << message;
}

TEST(SeparateProcess, WaitsForSlowOutput) {
  const auto sleep = [](const Descriptor& out) {
    return ::usleep(300000) == 0 && write_all(out, "late");
  };
  ProcessLimits limits = ample;
  limits.silent_seconds = 0.1;  // of processor time, which waiting does not take
  EXPECT_TRUE(in_separate_process(sleep, ignore, limits, "input", {}));
}

/// Runs the check in a copy of the test, which may close descriptors.
bool holds_in_a_copy(const std::function<bool()>& check) {
  const pid_t id = ::fork();
  if (id == 0) ::_exit(check() ? 0 : 1);
  int status = -1;
  ::waitpid(id, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(SeparateProcess, WorksWhereStandardStreamsAreClosed) {
  for (int closed = 1; closed < 8; ++closed) {
    EXPECT_TRUE(holds_in_a_copy([closed] {
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if ((closed >> stream & 1) != 0) ::close(stream);
      }
      std::string received;
      const bool done = in_separate_process(
          [](const Descriptor& out) { return write_all(out, "sent"); },
          [&](std::string_view piece) { received += piece; }, ample, "input", {});
      return done && received == "sent";
    })) << "streams "
        << closed;
  }
}

/// Whatever the number of descriptors, the file is read, or their number is the reason.
TEST(SeparateProcess, NamesTheLimitOfOpenFiles) {
  int read = 0;
  for (rlim_t most = 3; most < 12; ++most) {
    EXPECT_TRUE(holds_in_a_copy([most] {
      for (int number = 3; number < 64; ++number) ::close(number);
      const rlimit files = {most, most};
      ::setrlimit(RLIMIT_NOFILE, &files);
      const auto opens = [](const Descriptor& out) {
        return Descriptor("/dev/null", O_RDONLY).is_open() && write_all(out, "sent");
      };
      try {
        return in_separate_process(opens, ignore, ample, "input", {});
      } catch (const ResourceError& refusal) {
        return std::string(refusal.what()).find("open files") != std::string::npos;
      }
    })) << most;
    read += static_cast<int>(holds_in_a_copy([most] {
      for (int number = 3; number < 64; ++number) ::close(number);
      const rlimit files = {most, most};
      ::setrlimit(RLIMIT_NOFILE, &files);
      try {
        return in_separate_process([](const Descriptor&) { return true; }, ignore, ample, "input",
                                   {});
      } catch (const ResourceError&) {
        return false;
      }
    }));
  }
  EXPECT_GE(read, 6);
}

TEST(SeparateProcess, EndsAtTheTimeLimit) {
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  const auto sleep = [](const Descriptor&) { return ::pause() == 0; };
  EXPECT_THROW((void)in_separate_process(sleep, ignore, ample, "input", context), ResourceError);
}

TEST(SeparateProcess, EndsAtTheTimeLimitAfterASignal) {
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  using Action = struct sigaction;
  Action quiet = {};
  Action before = {};
  quiet.sa_handler = [](int) {};
  quiet.sa_flags = SA_RESTART;  // as the tool's handler of Ctrl-C
  ::sigaction(SIGALRM, &quiet, &before);
  itimerval soon = {{0, 20000}, {0, 20000}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  const auto sleep = [](const Descriptor&) { return ::sleep(60) == 0; };
  EXPECT_THROW((void)in_separate_process(sleep, ignore, ample, "input", context), ResourceError);
  soon = {};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
}

TEST(SeparateProcess, EndsWhereTheReceiverRefuses) {
  const auto write = [](const Descriptor& out) {
    while (write_all(out, "again")) {
    }
    return false;
  };
  const auto refuse = [](std::string_view) { throw ResourceError("too much"); };
  EXPECT_THROW((void)in_separate_process(write, refuse, ample, "input", {}), ResourceError);
}

/// All texts of the file, and the encodings of its arrays.
std::vector<std::string> all_texts(const std::string& path) {
  std::vector<std::string> all;
  const std::shared_ptr<const ArrayFile> file = open_arrays(path, {});
  for (const StoredArray& array : file->arrays()) {
    std::ranges::move(file->attribute(array.path, "encoding-type"), std::back_inserter(all));
    if (array.content != ArrayContent::texts) continue;
    std::ranges::move(file->texts(array, {}), std::back_inserter(all));
  }
  return all;
}

TEST(Hdf5Texts, DamagedReferencesAreRefused) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/fuzz/seeds/anndata/small.h5ad", std::ios::binary);
  const std::string valid{std::istreambuf_iterator<char>(stream), {}};
  const TemporaryFolder folder;
  const std::string path = folder.write("valid.h5ad", valid);
  if (error_of([&] { (void)all_texts(path); }).find("without HDF5") != std::string::npos) {
    GTEST_SKIP() << "HDF5 is left out";
  }
  const std::vector<std::string> texts = all_texts(path);
  for (const char* const text : {"string-array", "a", "g4"}) {
    EXPECT_NE(std::ranges::find(texts, text), texts.end()) << text;
  }
  const std::size_t heap = valid.find("GCOL");  // the texts that references point at
  ASSERT_NE(heap, std::string::npos);
  constexpr std::size_t heap_bytes = 4096;
  std::mt19937_64 random(7);
  constexpr int files = 150;
  int refused = 0;
  for (int k = 0; k < files; ++k) {
    std::string damaged = valid;
    damaged[heap + random() % heap_bytes] = static_cast<char>(random());
    try {
      (void)all_texts(folder.write("damaged.h5ad", damaged));
    } catch (const DataError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, files);
}

}  // namespace
}  // namespace kernmix
