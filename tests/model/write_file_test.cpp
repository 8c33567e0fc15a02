/// Files that take the place of others.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "kernmix/error.hpp"
#include "model/example_model.hpp"
#include "model/file/file.hpp"

namespace kernmix {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  WriteFile() {
    std::string pattern = (fs::temp_directory_path() / "kernmix-write-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~WriteFile() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WriteFile, KeepsPermissions) {
  write_file(path("a"), "old");
  ::chmod(path("a").c_str(), 0600);
  write_file(path("a"), "new");
  struct stat status = {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  EXPECT_EQ(read_file(path("a")), "new");
}

TEST_F(WriteFile, WritesBehindSymbolicLinks) {
  fs::create_directory(folder_ / "elsewhere");
  fs::create_symlink("elsewhere/model", folder_ / "link");
  fs::create_symlink("link", folder_ / "link of a link");
  for (const std::string text : {"first", "second"}) {
    write_file(path("link of a link"), text);
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_FALSE(fs::is_symlink(path("elsewhere/model")));
    EXPECT_EQ(read_file(path("elsewhere/model")), text);
  }
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(write_file(path("circle"), "never"), ResourceError);
}

TEST_F(WriteFile, ManyThreadsWriteOneFile) {
  const Model model = example_model();
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 25; ++k) {
        try {
          save_model(model, path("m.kmx"));
        } catch (const Error&) {
          ++failures;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(load_model(path("m.kmx")).tasks[0].bias, model.tasks[0].bias);
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, RemovesWhatKilledWritersLeft) {
  const std::vector<std::string> others = {"a.tmp",     "a..tmp",     "a.2024.tmp", "a.1.2.3.tmp",
                                           "a..1.tmp",  "a.1..tmp",   "a.x.tmp",    "a.1.x.tmp",
                                           "a.1.tmp.2", "b.123.0.tmp"};
  std::ofstream(path("a.123.0.tmp")) << "half";
  for (const std::string& name : others) {
    std::ofstream(path(name)) << "half";
  }
  const int held = ::open(path("a.77.0.tmp").c_str(), O_CREAT | O_RDWR, 0666);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  write_file(path("a"), "whole");
  EXPECT_FALSE(fs::exists(path("a.123.0.tmp")));
  EXPECT_TRUE(fs::exists(path("a")));
  EXPECT_TRUE(fs::exists(path("a.77.0.tmp")));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(path(name))) << name;
  ::close(held);
}

}  // namespace
}  // namespace kernmix
