#include "predict/piecewise_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "kernmix/error.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 22;

[[noreturn]] void refuse_waiting() {
  throw ResourceError(fmt::format(
      "standard output waits in a temporary file until all samples are predicted, and it cannot be "
      "written: {}; name a file (-o), or a folder with room (TMPDIR)",
      std::strerror(errno)));
}

/// A file without a name in the folder of TMPDIR, by default /tmp; null if it cannot be created.
std::FILE* temporary_file() {
  std::error_code unusable;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(unusable);
  if (unusable) {
    errno = unusable.value();
    return nullptr;
  }
  std::string name = (folder / "kernmix-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return nullptr;
  ::unlink(name.c_str());
  return ::fdopen(file, "w+b");
}

}  // namespace

PiecewiseOutput::PiecewiseOutput(const std::string& path) {
  if (path != "-") file_.emplace(path);
}

void PiecewiseOutput::add(std::string_view text) {
  if (file_) return file_->add(text);
  waiting_ += text;
  if (waiting_.size() > most_waiting) spill();
}

void PiecewiseOutput::spill() {
  if (!spilled_) spilled_.reset(temporary_file());
  if (!spilled_) refuse_waiting();
  const bool all =
      std::fwrite(waiting_.data(), 1, waiting_.size(), spilled_.get()) == waiting_.size();
  if (!all || std::fflush(spilled_.get()) != 0) refuse_waiting();
  waiting_.clear();
}

void PiecewiseOutput::finish() {
  if (file_) return file_->finish();
  if (spilled_) {
    spill();
    std::rewind(spilled_.get());
    std::string piece(most_waiting, '\0');
    while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), spilled_.get())) {
      write_text("-", std::string_view(piece).substr(0, read));
    }
    if (std::ferror(spilled_.get()) != 0) refuse_waiting();
  }
  if (!waiting_.empty()) write_text("-", waiting_);
}

}  // namespace kernmix::cli
