#pragma once
/// \file
/// Runs the built command line tool as a user would: its own process, files in a folder of its own.

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kernmix::test {

/// A fresh folder, removed with everything in it at the end of its life.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;
  /// Names of the files and folders in it, sorted.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

struct ToolRun {
  int code = -1;    ///< exit code; 128 + signal when a signal ended the process
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

[[nodiscard]] std::string read_text(const std::string& file);

/// A tool that was started and not waited for.
class ToolProcess {
 public:
  /// Runs `kernmix arguments...` with `folder` as current directory.
  ToolProcess(const Folder& folder, const std::vector<std::string>& arguments);
  [[nodiscard]] pid_t id() const { return child_; }
  void send(int signal) const;
  [[nodiscard]] ToolRun wait() const;

 private:
  Folder streams_;
  pid_t child_ = -1;
};

[[nodiscard]] ToolRun run_tool(const Folder& folder, const std::vector<std::string>& arguments);

/// `kernmix line` in the folder, the line as in words().
[[nodiscard]] ToolRun tool(const Folder& folder, const std::string& line);

using Json = nlohmann::json;

/// A JSON file of the folder.
[[nodiscard]] Json json_of(const Folder& folder, const std::string& name);

/// The metric of an evaluation. \throws std::out_of_range where there is none
[[nodiscard]] double value_of(const Json& evaluation, const std::string& name);

/// Even numbers in (-1, 1) that look random: the fractional parts of multiples of a root.
[[nodiscard]] double spread(int i, double root);

/// The words of a command line; single quotes keep blanks.
[[nodiscard]] std::vector<std::string> words(const std::string& line);

/// Path of a file of examples/data.
[[nodiscard]] std::string example(const std::string& name);

}  // namespace kernmix::test
