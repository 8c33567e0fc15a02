/// What limits leave to the process.

#include "kernmix/process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace kernmix {
namespace {

namespace fs = std::filesystem;

/// A tree of control groups as the kernel shows it, removed at the end.
class ControlGroups : public ::testing::Test {
 protected:
  ControlGroups() { fs::create_directories(root_); }
  ~ControlGroups() override { fs::remove_all(root_); }

  void group(const std::string& name, const std::string& limit, const std::string& used) const {
    fs::create_directories(root_ / name);
    std::ofstream(root_ / name / "memory.max") << limit << '\n';
    std::ofstream(root_ / name / "memory.current") << used << '\n';
  }

  fs::path root_ = fs::temp_directory_path() / ("kernmix-groups-" + std::to_string(::getpid()));
};

TEST_F(ControlGroups, LeaveTheLeastOfAllAround) {
  group("a", "1000", "900");
  group("a/b", "max", "300");
  group("a/c", "500", "450");
  EXPECT_EQ(control_group_memory(root_, "0::/a/b\n"), 100U);
  EXPECT_EQ(control_group_memory(root_, "0::/a/c\n"), 50U);
  EXPECT_EQ(control_group_memory(root_, "0::/a\n"), 100U);
}

TEST_F(ControlGroups, OfTheContainerStandAtTheRoot) {
  group("", "4000", "1000");
  EXPECT_EQ(control_group_memory(root_, "0::/\n"), 3000U);
  EXPECT_EQ(control_group_memory(root_, "0::/not/seen/from/here\n"), 3000U);
}

TEST_F(ControlGroups, OfVersionOneHaveFilesOfTheirOwn) {
  fs::create_directories(root_ / "memory/a");
  std::ofstream(root_ / "memory/a/memory.limit_in_bytes") << "700\n";
  std::ofstream(root_ / "memory/a/memory.usage_in_bytes") << "900\n";
  EXPECT_EQ(control_group_memory(root_, "3:cpuset:/a\n4:memory:/a\n0::/\n"), 1U);
  EXPECT_EQ(control_group_memory(root_, "3:cpuset:/a\n0::/\n"), std::nullopt);
}

TEST_F(ControlGroups, NoneLimitNothing) {
  EXPECT_EQ(control_group_memory(root_, ""), std::nullopt);
  EXPECT_EQ(control_group_memory(root_, "nonsense\n"), std::nullopt);
}

}  // namespace
}  // namespace kernmix
