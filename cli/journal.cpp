#include "journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

constexpr std::string_view kMagic = "kernmix-journal";
constexpr std::string_view kVersion = "3";
constexpr std::string_view kWhole = "whole";

std::string head_line(const JournalHead& head) {
  return fmt::format("{} {} {} {:016x} {}", kMagic, kVersion, head.command, head.run,
                     head.part.empty() ? kWhole : std::string_view(head.part));
}

/// Nothing if the line is not the head of a journal.
std::optional<JournalHead> head_of_line(std::string_view line, const std::string& command) {
  JournalHead head{command};
  const std::string begin = fmt::format("{} {} {} ", kMagic, kVersion, command);
  constexpr std::size_t digits = 16;
  if (!line.starts_with(begin) || line.size() < begin.size() + digits + 2) return {};
  line.remove_prefix(begin.size());
  const auto [end, error] = std::from_chars(line.data(), line.data() + digits, head.run, 16);
  if (error != std::errc() || end != line.data() + digits || line[digits] != ' ') return {};
  const std::string_view part = line.substr(digits + 1);
  if (part != kWhole) head.part = part;
  return head;
}

/// Lines of versions 1 and 2 are JSON.
bool is_of_another_version(std::string_view line) {
  return line.starts_with("{\"kernmix_") ||
         (line.starts_with(kMagic) && !line.starts_with(fmt::format("{} {} ", kMagic, kVersion)));
}

std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;  // cut short
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

void require_regular(const std::string& file) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  const bool is_regular = std::filesystem::is_regular_file(status);
  if (file != "-" && (is_regular || !std::filesystem::exists(status))) return;
  throw ParameterError(
      fmt::format("--journal: {} cannot be read again; name a file", in_quotes(file)));
}

/// An advisory lock, which ends with the process.
void take_for_this_run(const Descriptor& out, const std::string& file, const std::string& command) {
  if (::flock(out.number(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) {
    throw ResourceError(
        fmt::format("--journal: {} is in use by another run of kernmix {}; wait until it ends, or "
                    "name another file",
                    file, command));
  }
  throw ResourceError(
      fmt::format("--journal: {} cannot be locked ({}), so that two runs could write it at once; "
                  "name a file on another file system",
                  file, std::strerror(errno)));
}

/// A share of the memory for the text, in addition to the parsed records.
Context for_text(const Context& context) {
  constexpr std::size_t parts = 3;
  Context less = context;
  less.memory_bytes /= parts;
  return less;
}

void cut(const Descriptor& out, const std::string& file, std::size_t bytes) {
  if (::ftruncate(out.number(), static_cast<off_t>(bytes)) != 0) refuse_writing(file);
}

/// \throws DataError for a journal of another run
void check_head(const JournalHead& found, const JournalHead& asked, const std::string& file) {
  if (found.run != asked.run) {
    throw DataError(
        fmt::format("--journal: {} is of another run: other data, other options, "
                    "another seed or another version of kernmix; name another file or "
                    "remove it",
                    file));
  }
  const auto named = [](const std::string& part) {
    return part.empty() ? std::string("the whole run") : "part " + part;
  };
  if (found.part == asked.part) return;
  throw DataError(fmt::format("--journal: {} is of {}, not of {}; name another file", file,
                              named(found.part), named(asked.part)));
}

}  // namespace

void JournalText::read_each(
    const std::string& kind,
    const std::function<void(const JournalRecord&, RecordReader&)>& read) const {
  for (const JournalRecord& record : records) {
    try {
      if (record.kind != kind) {
        throw DataError(fmt::format("is of the unknown kind {}", in_quotes(record.kind)));
      }
      RecordReader reader(record.fields);
      read(record, reader);
    } catch (const DataError& why) {
      throw DataError(fmt::format("{}: line {} of {} {}; remove it to recompute its content",
                                  option, record.line, file, why.what()));
    }
  }
}

JournalText read_journal(const std::string& option, const std::string& file,
                         const std::string& command, const Context& context) {
  return parse_journal(option, file, command, read_file(file, for_text(context)));
}

JournalText parse_journal(const std::string& option, const std::string& file,
                          const std::string& command, std::string_view text) {
  const std::vector<std::string_view> lines = whole_lines(text);
  const auto head = lines.empty() ? std::nullopt : head_of_line(lines.front(), command);
  if (!head) {
    const bool is_old = !lines.empty() && is_of_another_version(lines.front());
    throw DataError(fmt::format("{}: {} is not a journal of kernmix {}{}; name another file",
                                option, file, command,
                                is_old ? " in the format of this version but of another" : ""));
  }
  JournalText journal{option, file, *head, {}, lines.front().size() + 1};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::optional<JournalRecord> record = record_of_line(lines[i]);
    if (!record) {
      throw DataError(fmt::format(
          "{}: line {} of {} is damaged; remove it to recompute its content", option, i + 1, file));
    }
    record->line = static_cast<Index>(i + 1);
    journal.records.push_back(std::move(*record));
    journal.bytes += lines[i].size() + 1;
  }
  return journal;
}

Journal::Journal(std::string file, const JournalHead& head, const Context& context)
    : text_{"--journal", std::move(file), head, {}, 0} {
  const std::string& name = text_.file;
  if (name.empty()) return;
  require_regular(name);
  out_.emplace(name, O_RDWR | O_APPEND | O_CREAT);
  if (!out_->is_open()) refuse_writing(name);
  take_for_this_run(*out_, name, head.command);
  const std::string first = head_line(head);
  std::error_code unknown;
  const bool is_empty = std::filesystem::file_size(name, unknown) == 0;
  const std::string found = is_empty ? std::string() : read_file(name, for_text(context));
  if (first.starts_with(found)) {  // empty, or an incomplete first line
    cut(*out_, name, 0);
    write_line(*out_, name, first);
    return;
  }
  text_ = parse_journal("--journal", name, head.command, found);
  check_head(text_.head, head, name);
  cut(*out_, name, text_.bytes);
}

void Journal::add(const std::string& kind, const std::string& fields) {
  if (out_) write_line(*out_, text_.file, record_line(kind, fields));
}

}  // namespace kernmix::cli
