/// \file
/// Texts of HDF5 files are read in a process of its own, which a damaged file may end.

#include "data/arrays/separate_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <random>

#include "data/arrays/array_file.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

const auto ignore = [](std::string_view) {};

TEST(SeparateProcess, GivesWhatTheWorkWrites) {
  const std::string sent(1 << 20, 'x');
  std::string received;
  const bool done = in_separate_process(
      [&](const Descriptor& out) { return write_all(out, sent) && write_all(out, "end"); },
      [&](std::string_view piece) { received += piece; }, "input", {});
  EXPECT_TRUE(done);
  EXPECT_EQ(received, sent + "end");
}

TEST(SeparateProcess, SurvivesEveryEnd) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGKILL}) {
    EXPECT_FALSE(in_separate_process([signal](const Descriptor&) { return ::raise(signal) == 0; },
                                     ignore, "input", {}));
  }
  EXPECT_FALSE(in_separate_process([](const Descriptor&) { return false; }, ignore, "input", {}));
  EXPECT_FALSE(in_separate_process([](const Descriptor&) -> bool { throw DataError("no"); }, ignore,
                                   "input", {}));
}

TEST(SeparateProcess, EndsAtTheTimeLimit) {
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  const auto sleep = [](const Descriptor&) { return ::pause() == 0; };
  EXPECT_THROW((void)in_separate_process(sleep, ignore, "input", context), ResourceError);
}

TEST(SeparateProcess, EndsWhereTheReceiverRefuses) {
  const auto write = [](const Descriptor& out) {
    while (write_all(out, "again")) {
    }
    return false;
  };
  const auto refuse = [](std::string_view) { throw ResourceError("too much"); };
  EXPECT_THROW((void)in_separate_process(write, refuse, "input", {}), ResourceError);
}

/// Opens the file and reads all texts and the encodings. \returns whether all could be read
bool reads_texts(const std::string& path) {
  try {
    const std::shared_ptr<const ArrayFile> file = open_arrays(path, {});
    for (const StoredArray& array : file->arrays()) {
      (void)file->attribute(array.path, "encoding-type");
      if (array.content == ArrayContent::texts) (void)file->texts(array, {});
    }
  } catch (const DataError&) {
    return false;
  }
  return true;
}

TEST(Hdf5Texts, DamagedReferencesAreRefused) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/fuzz/seeds/anndata/small.h5ad", std::ios::binary);
  const std::string valid{std::istreambuf_iterator<char>(stream), {}};
  const TemporaryFolder folder;
  if (!reads_texts(folder.write("valid.h5ad", valid))) GTEST_SKIP() << "HDF5 is left out";
  const std::size_t heap = valid.find("GCOL");  // the texts that references point at
  ASSERT_NE(heap, std::string::npos);
  constexpr std::size_t heap_bytes = 4096;
  std::mt19937_64 random(7);
  int refused = 0;
  for (int k = 0; k < 150; ++k) {
    std::string damaged = valid;
    damaged[heap + random() % heap_bytes] = static_cast<char>(random());
    refused += reads_texts(folder.write("damaged.h5ad", damaged)) ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace kernmix
