#include "end_to_end/tool.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace kernmix::test {
namespace {

namespace fs = std::filesystem;

/// In the child: streams to files, then the tool. Never returns.
[[noreturn]] void become_tool(const std::string& folder, const std::string& out,
                              const std::string& err, const std::vector<std::string>& arguments) {
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out_file < 0 || err_file < 0 || chdir(folder.c_str()) != 0) _exit(126);
  dup2(out_file, STDOUT_FILENO);
  dup2(err_file, STDERR_FILENO);
  std::string program = KERNMIX_TOOL;
  std::vector<std::string> copies = arguments;
  std::vector<char*> argv = {program.data()};
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

}  // namespace

Folder::Folder() {
  std::string pattern = (fs::temp_directory_path() / "kernmix-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

ToolProcess::ToolProcess(const Folder& folder, const std::vector<std::string>& arguments) {
  child_ = fork();
  if (child_ == 0) {
    become_tool(folder.path().string(), streams_.file("out"), streams_.file("err"), arguments);
  }
  if (child_ < 0) throw std::runtime_error("fork failed");
}

void ToolProcess::send(int signal) const { kill(child_, signal); }

ToolRun ToolProcess::wait() const {
  int status = 0;
  waitpid(child_, &status, 0);
  ToolRun run;
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = read_text(streams_.file("out"));
  run.err = read_text(streams_.file("err"));
  return run;
}

ToolRun run_tool(const Folder& folder, const std::vector<std::string>& arguments) {
  return ToolProcess(folder, arguments).wait();
}

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> result;
  std::string word;
  bool quoted = false;
  bool open = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      open = true;
    } else if (c == ' ' && !quoted) {
      if (open) result.push_back(word);
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) result.push_back(word);
  return result;
}

std::string example(const std::string& name) {
  return std::string(KERNMIX_SOURCE_DIR) + "/examples/data/" + name;
}

ToolRun tool(const Folder& folder, const std::string& line) {
  return run_tool(folder, words(line));
}

Json json_of(const Folder& folder, const std::string& name) {
  return Json::parse(read_text(folder.file(name)));
}

double value_of(const Json& evaluation, const std::string& name) {
  for (const Json& metric : evaluation.at("metrics")) {
    if (metric.at("name") == name) return metric.at("value").get<double>();
  }
  throw std::out_of_range(name);
}

double spread(int i, double root) {
  const double x = root * (i + 1);
  return 2.0 * (x - std::floor(x)) - 1.0;
}

}  // namespace kernmix::test
