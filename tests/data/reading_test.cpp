/// \file
/// Reading takes a context like everything else: it stops when asked, and takes the memory allowed.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <thread>

#include "data/arff/arff.hpp"
#include "data/csv.hpp"
#include "data/libsvm.hpp"
#include "data/temporary_file.hpp"

namespace kernmix {
namespace {

const std::atomic<bool> cancelled{true};

Context stopped() {
  Context context;
  context.cancelled = &cancelled;
  return context;
}

std::string refusal_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const ResourceError& refusal) {
    return refusal.what();
  }
  return "not refused";
}

TEST(Reading, StopsBeforeAFileIsRead) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", "a,b\n1,2\n");
  ReadOptions options;
  options.context = stopped();
  const auto table = [&] { static_cast<void>(read_table({file}, options)); };
  EXPECT_EQ(folder.strip(refusal_of(table)),
            "a.csv: interrupted while it was read: there is no result to write");
  options.context = {};
  options.context.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(folder.strip(refusal_of(table)),
            "a.csv: the time limit was reached while it was read: there is no result to write");
  EXPECT_NE(refusal_of([&] { static_cast<void>(read_matrices(file, stopped())); }), "not refused");
}

TEST(Reading, StopsBetweenSamples) {
  ReadOptions options;
  options.context = stopped();
  const auto input = [](const std::string& text, FileFormat format) {
    InputFile file;
    file.path = "a";
    file.text = text;
    file.format = format;
    return file;
  };
  InputFile csv = input("a,b\n1,2\n", FileFormat::csv);
  read_csv_header(csv, true);
  InputFile arff = input("@relation r\n@attribute a real\n@data\n1\n", FileFormat::arff);
  read_arff_names(arff);
  for (const std::function<void()>& read : std::vector<std::function<void()>>{
           [&] { static_cast<void>(read_csv(csv, options)); },
           [&] { static_cast<void>(read_arff(arff, options)); },
           [&] {
             static_cast<void>(read_libsvm(input("1 1:2\n", FileFormat::libsvm), options));
           }}) {
    EXPECT_EQ(refusal_of(read), "a: interrupted while it was read: there is no result to write");
  }
}

TEST(Reading, DoesNotWaitForAWriterForEver) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe.csv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  ReadOptions options;
  options.context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  EXPECT_NE(refusal_of([&] {
              static_cast<void>(read_table({pipe}, options));
            }).find("the time limit was reached while it was read"),
            std::string::npos);
  std::thread writer([&] { std::ofstream(pipe) << "a,b\n1,2\n"; });
  EXPECT_EQ(read_table({pipe}, {}).values.values, (Vector{1, 2}));
  writer.join();
}

TEST(Reading, TakesNoMoreThanIsAllowed) {
  Context context;
  context.memory_bytes = std::size_t{4} << 20;
  EXPECT_THROW(static_cast<void>(read_file("/dev/zero", context)), ResourceError);
  const TemporaryFolder folder;
  const std::string file = folder.write("a", std::string(std::size_t{5} << 20, '1'));
  EXPECT_THROW(static_cast<void>(read_file(file, context)), ResourceError);
  context.memory_bytes = std::size_t{5} << 20;
  EXPECT_EQ(read_file(file, context).size(), context.memory_bytes);
}

/// LIBSVM itself counts in 32 bits.
TEST(Reading, RefusesColumnsBeyondAnyTable) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.libsvm", "1 1:0.5\n-1 3000000000:1\n");
  try {
    static_cast<void>(read_table({file}, {}));
    FAIL() << "read";
  } catch (const DataError& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("a.libsvm:2: index 3000000000"), std::string::npos);
  }
}

}  // namespace
}  // namespace kernmix
