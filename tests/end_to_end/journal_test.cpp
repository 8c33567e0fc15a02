/// \file
/// --journal of kernmix tune and compare: one run at a time, and whatever is in the file before.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

/// Two commands that keep a journal, and their data.
const std::string kJournalKeepers[] = {
    "tune disk.csv --label y --grid C=1,10 -o m.kmx -q --journal j.jsonl",
    "compare disk.toml -q --journal j.jsonl"};

void write_disk(const Folder& folder) {
  std::string text = "y,a,b\n";
  for (int i = 0; i < 40; ++i) {
    const double a = spread(i, 1.41421356);
    const double b = spread(i, 1.73205081);
    text += std::string(a * a + b * b < 0.5 ? "in" : "out") + "," + std::to_string(a) + "," +
            std::to_string(b) + "\n";
  }
  folder.write("disk.csv", text);
  folder.write("disk.toml",
               "[experiment]\nsplits = 2\ninner-folds = 2\n[[data]]\nname = \"disk\"\nfiles = "
               "\"disk.csv\"\nlabel = \"y\"\n[[method]]\nname = \"l1\"\n");
}

/// A lock as a run that is under way has it, until the end of its life.
class Held {
 public:
  explicit Held(const std::string& file) : number_(::open(file.c_str(), O_RDWR | O_CLOEXEC)) {
    taken_ = ::flock(number_, LOCK_EX | LOCK_NB) == 0;
  }
  ~Held() { ::close(number_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  int number_;
  bool taken_ = false;
};

TEST(Journal, IsOfOneRunAtATime) {
  for (const std::string& line : kJournalKeepers) {
    const Folder folder;
    write_disk(folder);
    ASSERT_EQ(tool(folder, line).code, 0) << line;
    const std::string journal = read_text(folder.file("j.jsonl"));
    {
      const Held other(folder.file("j.jsonl"));
      ASSERT_TRUE(other.taken());
      const ToolRun second = tool(folder, line);
      EXPECT_EQ(second.code, 4) << line;
      EXPECT_NE(second.err.find("--journal: j.jsonl is in use by another run of kernmix " +
                                words(line).front()),
                std::string::npos)
          << second.err;
      EXPECT_EQ(std::ranges::count(second.err, '\n'), 1) << second.err;
      EXPECT_EQ(second.out, "");
      EXPECT_EQ(read_text(folder.file("j.jsonl")), journal);
    }
    const ToolRun after = tool(folder, line);
    EXPECT_EQ(after.code, 0) << after.err;
    EXPECT_EQ(read_text(folder.file("j.jsonl")), journal) << "nothing is left to compute";
  }
}

bool is_begun(const std::string& journal) {
  return std::filesystem::exists(journal) && read_text(journal).find('\n') != std::string::npos;
}

TEST(Journal, IsGivenBackByAKilledRun) {
  const Folder folder;
  write_disk(folder);
  const std::vector<std::string> endless = words(
      "tune disk.csv --label y --grid C=0.001..1000*1.02 --nested 20 -o m.kmx -q --journal "
      "j.jsonl");
  const ToolProcess first(folder, endless);
  const std::string journal = folder.file("j.jsonl");
  for (int wait = 0; wait < 60000 && !is_begun(journal); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(is_begun(journal));
  EXPECT_EQ(run_tool(folder, endless).code, 4);
  first.send(SIGKILL);
  ASSERT_EQ(first.wait().code, 128 + SIGKILL) << "it was under way";
  EXPECT_TRUE(Held(journal).taken());
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(Journal, BeginsAgainWhereItsFirstLineWasCutShort) {
  for (const std::string& line : kJournalKeepers) {
    const Folder folder;
    write_disk(folder);
    ASSERT_EQ(tool(folder, line).code, 0) << line;
    const std::string journal = read_text(folder.file("j.jsonl"));
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{9}, journal.find('\n')}) {
      folder.write("j.jsonl", journal.substr(0, bytes));
      ASSERT_EQ(tool(folder, line).code, 0) << bytes;
      const std::string again = read_text(folder.file("j.jsonl"));
      EXPECT_EQ(first_line(again), first_line(journal)) << bytes;
      EXPECT_EQ(std::ranges::count(again, '\n'), std::ranges::count(journal, '\n')) << bytes;
    }
  }
}

TEST(Journal, LeavesAloneWhatIsNoJournal) {
  const Folder folder;
  write_disk(folder);
  for (const auto& [stream, why] :
       {std::pair<std::string, std::string>("-", "cannot be read again"),
        {"/dev/null", "is not a regular file"}}) {
    const ToolRun run = tool(folder, "compare disk.toml -q --journal " + stream);
    EXPECT_EQ(run.code, 2) << stream;
    EXPECT_NE(run.err.find("'" + stream + "' " + why), std::string::npos) << run.err;
  }
  for (const std::string other : {"a", "{\"kernmix_tune\": 1}", "\n"}) {
    folder.write("j.jsonl", other);
    const ToolRun run = tool(folder, kJournalKeepers[0]);
    EXPECT_EQ(run.code, 3) << other;
    EXPECT_NE(run.err.find("j.jsonl is not a journal of kernmix tune"), std::string::npos)
        << run.err;
    EXPECT_EQ(read_text(folder.file("j.jsonl")), other);
  }
}

}  // namespace
}  // namespace kernmix::test
