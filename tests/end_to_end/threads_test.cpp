/// \file
/// The tool has no threads but those it was asked for.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

/// Threads of a process, as the system counts them; 0 once it has ended, or where nothing tells.
int threads_of(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::string word;
  while (status >> word) {
    int count = 0;
    if (word == "(zombie)") return 0;
    if (word == "Threads:" && status >> count) return count;
  }
  return 0;
}

TEST(Threads, OfBlasEndBeforeTheDataIsReadAndStayAway) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer has a thread of its own";
#endif
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.file("data.csv").c_str(), 0600), 0);
  const ToolProcess process(folder, words("train data.csv --label diagnosis --id sample"
                                          " --threads 1 -o m.kmx --quiet"));
  // Opening this end waits until the tool is about to read.
  std::ofstream data(folder.file("data.csv"));
  int most = threads_of(process.id());
  data << read_text(example("breast_cancer_train.csv"));
  data.close();
  while (const int now = threads_of(process.id())) most = std::max(most, now);
  EXPECT_EQ(most, 1);
  EXPECT_EQ(process.wait().code, 0);
}

}  // namespace
}  // namespace kernmix::test
