#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "model/file/file.hpp"
#include "model/file/place.hpp"

namespace kernmix::cli {
namespace {

namespace fs = std::filesystem;

/// The file exists and can be replaced as a whole, or does not exist.
void check_kind(const OutputFile& output) {
  std::error_code failure;
  const fs::file_status status = fs::status(output.path, failure);
  if (failure && failure != std::errc::no_such_file_or_directory &&
      failure != std::errc::not_a_directory) {
    throw ResourceError(fmt::format("{}: {} cannot be written: {}", output.option,
                                    kernmix::in_quotes(output.path), failure.message()));
  }
  // Standard output may be a regular file, which a rename would replace under its reader.
  const std::string folder = fs::path(output.path).lexically_normal().parent_path().string();
  const std::string name = fs::path(output.path).lexically_normal().string();
  const bool is_stream = name == "/dev/stdout" || name == "/dev/stderr" || folder == "/dev/fd" ||
                         (folder.starts_with("/proc/") && folder.ends_with("/fd"));
  if (fs::is_directory(status) ||
      (!is_stream && (!fs::exists(status) || fs::is_regular_file(status))))
    return;
  throw ParameterError(
      fmt::format("{}: {} is not a regular file; results replace a file as a whole, so give a file "
                  "name ('-' is standard output for text)",
                  output.option, kernmix::in_quotes(output.path)));
}

void check_folder(const OutputFile& output) {
  check_kind(output);
  std::error_code ignored;
  if (fs::is_directory(output.path, ignored)) {
    throw ParameterError(
        fmt::format("{}: '{}' is a folder, give a file name", output.option, output.path));
  }
  fs::path folder = fs::path(output.path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, ignored)) {
    throw ParameterError(fmt::format("{}: the folder '{}' does not exist, create it first",
                                     output.option, folder.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw ResourceError(fmt::format("{}: the folder '{}' cannot be written: {}", output.option,
                                    folder.string(), std::strerror(errno)));
  }
  try {
    check_writable(output.path);
  } catch (const ResourceError& refusal) {
    throw ResourceError(fmt::format("{}: {}", output.option, refusal.what()));
  }
}

/// The same name in the same folder, where links are followed; neither file needs to exist.
bool same_place(const std::string& left, const std::string& right) {
  try {
    const Place a = place_of(left);
    const Place b = place_of(right);
    struct stat first = {};
    struct stat second = {};
    return a.name == b.name && ::fstat(a.folder.number(), &first) == 0 &&
           ::fstat(b.folder.number(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
  } catch (const ResourceError&) {  // the folder does not exist
    return false;
  }
}

bool same_file(const std::string& left, const std::string& right) {
  std::error_code error;
  if (fs::equivalent(left, right, error)) return true;
  if (fs::path(left).lexically_normal() == fs::path(right).lexically_normal()) return true;
  return left != "-" && right != "-" && same_place(left, right);
}

}  // namespace

void check_names(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputFile& output = outputs[i];
    if (output.path.empty()) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (!outputs[j].path.empty() && same_file(outputs[j].path, output.path)) {
        throw ParameterError(fmt::format("{} and {} both name '{}', give them different files",
                                         outputs[j].option, output.option, output.path));
      }
    }
    if (output.path == "-") continue;
    for (const std::string& input : inputs) {
      if (!same_file(output.path, input)) continue;
      throw ParameterError(
          fmt::format("{}: '{}' is also an input and would be overwritten, choose another name",
                      output.option, output.path));
    }
  }
}

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs) {
  check_names(outputs, inputs);
  for (const OutputFile& output : outputs) {
    if (!output.path.empty() && output.path != "-") check_folder(output);
  }
}

void write_stdout(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw ClosedPipe{};
  throw ResourceError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Opens the lowest free descriptor, which is this one, read-only, so that writing to it is
    // still an error.
    if (::open("/dev/null", O_RDONLY) != stream) return;
  }
}

void allow_many_files() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

void write_terminal(std::string_view text) noexcept {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

void write_message(std::string_view text) noexcept {
  try {
    write_terminal(visible(text, Layout::lines));
  } catch (const std::bad_alloc&) {
    write_terminal("kernmix: memory ran out\n");
  }
}

void write_text(const std::string& path, std::string_view text) {
  if (path == "-" && isatty(STDOUT_FILENO) == 1) {
    write_stdout(visible(text, Layout::lines));
  } else if (path == "-") {
    write_stdout(text);
  } else {
    write_file(path, text);
  }
}

void emit(const std::string& text, const Json& document, const std::string& json_file) {
  if (!json_file.empty()) write_text(json_file, json_text(document));
  if (json_file != "-") write_stdout(visible(text, Layout::lines));
}

}  // namespace kernmix::cli
