#include "predict/piecewise_output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "kernmix/error.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 22;

[[noreturn]] void refuse_waiting() {
  throw ResourceError(fmt::format(
      "standard output waits in a temporary file until all samples are predicted, and it cannot be "
      "written: {}; name a file (-o)",
      std::strerror(errno)));
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
  if (!spilled_) spilled_.reset(std::tmpfile());
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
