#include "journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "compare/text_hash.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

constexpr int kJournalVersion = 2;

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string head_line(const JournalHead& head) {
  Json line = {{"kernmix_" + head.command, kJournalVersion}, {"run", hexadecimal(head.run)}};
  if (!head.part.empty()) line["part"] = head.part;
  return line.dump();
}

/// Whether brackets are nested deeper than in anything that we write: values of such a depth
/// exhaust the stack. Those within texts count, too, of which a line of ours has few.
bool is_nested_deeply(const std::string& line) {
  constexpr int deepest = 1000;
  int depth = 0;
  return std::ranges::any_of(line, [&](char c) {
    depth += (c == '[' || c == '{' ? 1 : 0) - (c == ']' || c == '}' ? 1 : 0);
    return depth > deepest;
  });
}

/// Nothing where the line is no head of such a journal.
std::optional<JournalHead> head_of_line(const std::string& line, const std::string& command) {
  if (is_nested_deeply(line)) return {};
  const Json entry = Json::parse(line, nullptr, false);
  const std::string kind = "kernmix_" + command;
  if (!entry.is_object() || !entry.contains(kind) || entry[kind] != kJournalVersion) return {};
  const auto text = [&](const char* key) {
    return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : "";
  };
  return JournalHead{command, std::strtoull(text("run").c_str(), nullptr, 16), text("part")};
}

/// The line with its checksum, or nothing where that is wrong.
std::optional<Json> checked_entry(const std::string& line) {
  if (is_nested_deeply(line)) return {};
  Json parsed = Json::parse(line, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("check") || !parsed.contains("entry")) return {};
  if (parsed["check"] != hexadecimal(text_hash(parsed["entry"].dump()))) return {};
  return std::move(parsed["entry"]);
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

void require_regular(const std::string& file) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  const bool is_regular = std::filesystem::is_regular_file(status);
  if (file != "-" && (is_regular || !std::filesystem::exists(status))) return;
  throw ParameterError(
      fmt::format("--journal: {} cannot be read again; name a file", in_quotes(file)));
}

/// Advisory, and gone with the process, however that ends. A file system may know no locks.
void take_for_this_run(const Descriptor& out, const std::string& file, const std::string& command) {
  if (::flock(out.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw ResourceError(
      fmt::format("--journal: {} is in use by another run of kernmix {}; wait until that ends, or "
                  "name another file",
                  file, command));
}

/// False where there is nothing yet, or a first line that was cut short.
bool is_begun(const std::string& file, const std::string& first_line) {
  return std::filesystem::file_size(file) > 0 && !first_line.starts_with(read_file(file));
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

JournalText read_journal(const std::string& option, const std::string& file,
                         const std::string& command) {
  const std::vector<std::string> lines = whole_lines(read_file(file));
  const auto head = lines.empty() ? std::nullopt : head_of_line(lines.front(), command);
  if (!head) {
    throw DataError(fmt::format("{}: {} is no journal of kernmix {}; name another file", option,
                                file, command));
  }
  JournalText journal{*head, {}, lines.front().size() + 1};
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::optional<Json> entry = checked_entry(lines[i]);
    if (!entry) {
      throw DataError(
          fmt::format("{}: line {} of {} is damaged; remove it to compute again what it says",
                      option, i + 1, file));
    }
    const auto [place, is_new] = places.try_emplace(lines[i], i + 1);
    if (!is_new) {
      throw DataError(fmt::format("{}: line {} of {} repeats line {}; remove one of them", option,
                                  i + 1, file, place->second));
    }
    journal.entries.push_back(std::move(*entry));
    journal.bytes += lines[i].size() + 1;
  }
  return journal;
}

Journal::Journal(std::string file, const JournalHead& head) : file_(std::move(file)) {
  if (file_.empty()) return;
  require_regular(file_);
  out_.emplace(file_, O_RDWR | O_APPEND | O_CREAT);
  if (!out_->is_open()) refuse_writing(file_);
  take_for_this_run(*out_, file_, head.command);
  const std::string first = head_line(head);
  if (is_begun(file_, first)) {
    JournalText known = read_journal("--journal", file_, head.command);
    check_head(known.head, head, file_);
    cut(*out_, file_, known.bytes);
    entries_ = std::move(known.entries);
  } else {
    cut(*out_, file_, 0);
    write_line(*out_, file_, first);
  }
}

void Journal::add(const Json& entry) {
  if (!out_) return;
  const Json line = {{"entry", entry}, {"check", hexadecimal(text_hash(entry.dump()))}};
  write_line(*out_, file_, line.dump());
}

}  // namespace kernmix::cli
