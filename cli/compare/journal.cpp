#include "compare/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "compare/text_hash.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

constexpr int kJournalVersion = 1;

Json cell_line(const ComparedCell& cell) {
  Json scores = Json::array();
  for (const auto& score : cell.scores) scores.push_back(json_number(score));
  return {{"candidate", cell.candidate},
          {"scores", std::move(scores)},
          {"status", static_cast<int>(cell.status)},
          {"relative_gap", cell.relative_gap},
          {"kernels_used", cell.kernels_used},
          {"kernels", cell.kernels},
          {"solve_seconds", cell.solve_seconds},
          {"choose_seconds", cell.choose_seconds},
          {"fits", cell.fits},
          {"unconverged", cell.unconverged}};
}

ComparedCell cell_of_line(const Json& line) {
  ComparedCell cell;
  for (const Json& score : line.at("scores")) {
    cell.scores.push_back(score.is_null() ? std::nullopt : std::optional(score.get<double>()));
  }
  cell.candidate = line.at("candidate");
  cell.status = static_cast<Status>(line.at("status").get<int>());
  cell.relative_gap = line.at("relative_gap");
  cell.kernels_used = line.at("kernels_used");
  cell.kernels = line.at("kernels");
  cell.solve_seconds = line.at("solve_seconds");
  cell.choose_seconds = line.at("choose_seconds");
  cell.fits = line.at("fits");
  cell.unconverged = line.at("unconverged");
  return cell;
}

Json split_line(const ComparedSplit& split) {
  Json methods = Json::array();
  for (const ComparedCell& cell : split.methods) methods.push_back(cell_line(cell));
  return {{"data", split.data},
          {"split", split.split},
          {"train", split.train},
          {"test", split.test},
          {"kernel_seconds", split.kernel_seconds},
          {"kernel_builds", split.kernel_builds},
          {"methods", std::move(methods)}};
}

ComparedSplit split_of_line(const Json& line) {
  ComparedSplit split;
  split.data = line.at("data");
  split.split = line.at("split");
  split.train = line.at("train");
  split.test = line.at("test");
  split.kernel_seconds = line.at("kernel_seconds");
  split.kernel_builds = line.at("kernel_builds");
  for (const Json& cell : line.at("methods")) split.methods.push_back(cell_of_line(cell));
  return split;
}

/// The line with its checksum, or nothing where that is wrong.
std::optional<ComparedSplit> checked_split(const std::string& line) {
  const Json entry = Json::parse(line, nullptr, false);
  if (!entry.is_object() || !entry.contains("check") || !entry.contains("split")) return {};
  const std::string text = entry["split"].dump();
  if (entry["check"] != fmt::format("{:016x}", text_hash(text))) return {};
  return split_of_line(entry["split"]);
}

std::string head_line(std::uint64_t fingerprint) {
  return Json{{"kernmix_compare", kJournalVersion},
              {"experiment", fmt::format("{:016x}", fingerprint)}}
      .dump();
}

std::vector<std::string> whole_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut short
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

[[noreturn]] void refuse_writing(const std::string& file) {
  throw ResourceError(fmt::format("--journal: cannot write {}: {}", file, std::strerror(errno)));
}

void write_line(const Descriptor& out, const std::string& file, const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(out.number(), text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) refuse_writing(file);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

}  // namespace

Journal::Journal(std::string file, std::uint64_t fingerprint) : file_(std::move(file)) {
  if (file_.empty()) return;
  std::error_code failure;
  if (std::filesystem::exists(file_, failure) && std::filesystem::file_size(file_, failure) > 0) {
    read(read_file(file_), fingerprint);
  }
  std::string text = head_line(fingerprint) + "\n";
  for (const std::string& line : lines_) text += line + "\n";
  write_text(file_, text);
  out_.emplace(file_, O_WRONLY | O_APPEND);
  if (!out_->is_open()) refuse_writing(file_);
}

void Journal::read(const std::string& text, std::uint64_t fingerprint) {
  const std::vector<std::string> lines = whole_lines(text);
  if (lines.empty() || lines.front().find("kernmix_compare") == std::string::npos) {
    throw DataError(
        fmt::format("--journal: {} is no journal of kernmix compare; name another file", file_));
  }
  if (lines.front() != head_line(fingerprint)) {
    throw DataError(
        fmt::format("--journal: {} is of another experiment, other data, another seed or another "
                    "version of kernmix; name another file or remove it",
                    file_));
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto split = checked_split(lines[i]);
    if (!split) {
      throw DataError(
          fmt::format("--journal: line {} of {} is damaged; remove it to compute its split again",
                      i + 1, file_));
    }
    finished_.push_back(std::move(*split));
    lines_.push_back(lines[i]);
  }
}

void Journal::add(const ComparedSplit& split) {
  if (!out_) return;
  const Json line = split_line(split);
  const Json entry = {{"split", line}, {"check", fmt::format("{:016x}", text_hash(line.dump()))}};
  write_line(*out_, file_, entry.dump());
}

}  // namespace kernmix::cli
