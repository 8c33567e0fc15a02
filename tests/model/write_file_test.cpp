/// Files that take the place of others.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
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

TEST_F(WriteFile, TakesNamesAsLongAsFileSystemsAllow) {
  const std::string name(255, 'x');
  write_file(path(name), "first");
  write_file(path(name), "second");
  EXPECT_EQ(read_file(path(name)), "second");
  EXPECT_EQ(files(), 1U);
  EXPECT_THROW(check_writable(path(name + "x")), ResourceError);
}

TEST_F(WriteFile, ChecksBeforeWorkAndLeavesNothing) {
  check_writable(path("a"));
  EXPECT_EQ(files(), 0U);
  EXPECT_THROW(check_writable(path("missing/a")), ResourceError);
  EXPECT_THROW(check_writable("/proc/a"), ResourceError);
}

/// Who owns the link and the folder with it, and the mode of that folder.
struct Link {
  ::uid_t link_owner;
  ::uid_t folder_owner;
  ::mode_t mode;
  bool is_followed;
};

TEST_F(WriteFile, FollowsNoLinksOfOthersInFoldersOpenToAll) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of other users";
  constexpr ::uid_t other = 65534;
  const Link cases[] = {{other, 0, 01777, false},     {other, 0, 0777, false},
                        {other, 65533, 01777, false}, {0, other, 01777, true},
                        {other, other, 01777, true},  {other, 0, 0755, true}};
  ::chmod(folder_.c_str(), 0755);
  int number = 0;
  for (const Link& one : cases) {
    const fs::path open = folder_ / std::to_string(number++);
    fs::create_directory(open);
    fs::create_directory(open / "target");
    std::ofstream(open / "target/file") << "old";
    for (const auto& [link, target] : {std::pair("file", "target/file"),
                                       {"folder", "target"},
                                       {"new", "target/new"},
                                       {"chain", "file"}}) {
      fs::create_symlink(target, open / link);
      ASSERT_EQ(::lchown((open / link).c_str(), one.link_owner, 0), 0);
    }
    ASSERT_EQ(::chown(open.c_str(), one.folder_owner, 0), 0);
    ASSERT_EQ(::chmod(open.c_str(), one.mode), 0);
    for (const char* name : {"file", "folder/file", "new", "folder/new", "chain"}) {
      if (one.is_followed) {
        write_file(open / name, name);
        EXPECT_EQ(read_file(open / name), name);
        EXPECT_TRUE(fs::is_symlink(open / "file"));
      } else {
        EXPECT_THROW(check_writable(open / name), ResourceError) << number << name;
        EXPECT_THROW(write_file(open / name, "mine"), ResourceError) << number << name;
      }
    }
    if (one.is_followed) continue;
    EXPECT_EQ(read_file(open / "target/file"), "old");
    EXPECT_FALSE(fs::exists(open / "target/new"));
  }
}

TEST_F(WriteFile, TakesNoMorePermissionsFromAFileOfAnother) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of other users";
  std::ofstream(path("a")) << "bait";
  ASSERT_EQ(::chown(path("a").c_str(), 65534, 65534), 0);
  ::chmod(path("a").c_str(), 06666);
  const ::mode_t mask = ::umask(022);
  write_file(path("a"), "new");
  ::umask(mask);
  struct stat status = {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0644U);
}

const std::vector<std::string> kOurs = {"model", "run", "held_out"};

std::vector<std::string> names_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

TEST_F(WriteFile, WritesAFolderAsOneSet) {
  for (const bool with_others : {false, true}) {
    const std::string out = path(with_others ? "others" : "out");
    if (with_others) {
      fs::create_directories(out + "/mine");
      std::ofstream(out + "/mine.txt") << "mine";
    }
    const auto all = [&](std::vector<std::string> names) {
      if (with_others) names.insert(names.end(), {"mine", "mine.txt"});
      std::ranges::sort(names);
      return names;
    };
    write_folder(out, {{"model", "1"}, {"run", "1"}, {"held_out", "1"}}, kOurs);
    EXPECT_EQ(names_of(out), all({"model", "run", "held_out"}));
    fs::permissions(out, fs::perms(0750));
    write_folder(out, {{"model", "2"}, {"run", "2"}}, kOurs);
    EXPECT_EQ(names_of(out), all({"model", "run"}));
    EXPECT_EQ(read_file(out + "/model"), "2");
    EXPECT_EQ(read_file(out + "/run"), "2");
    EXPECT_EQ(fs::status(out).permissions(), fs::perms(0750));
  }
  EXPECT_EQ(files(), 2U);
}

TEST_F(WriteFile, WritesAFolderBehindALinkAndWhereSomebodyStands) {
  fs::create_directory(folder_ / "target");
  fs::create_symlink("target", folder_ / "link");
  write_folder(path("link"), {{"model", "1"}}, kOurs);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("target/model")), "1");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "target");
  write_folder(".", {{"model", "2"}}, kOurs);
  write_folder("../target", {{"model", "3"}, {"run", "3"}}, kOurs);
  EXPECT_EQ(names_of("."), (std::vector<std::string>{"model", "run"}));
  EXPECT_EQ(read_file("model"), "3");
  fs::current_path(before);
}

TEST_F(WriteFile, RemovesFoldersThatKilledWritersLeft) {
  for (const char* name : {"out.123.0.tmp", "out.tmp", "out.2024.tmp"}) {
    fs::create_directory(folder_ / name);
    std::ofstream(folder_ / name / "model") << "half";
  }
  write_folder(path("out"), {{"model", "1"}}, kOurs);
  EXPECT_FALSE(fs::exists(path("out.123.0.tmp")));
  EXPECT_TRUE(fs::exists(path("out.tmp/model")));
  EXPECT_TRUE(fs::exists(path("out.2024.tmp/model")));
}

}  // namespace
}  // namespace kernmix
