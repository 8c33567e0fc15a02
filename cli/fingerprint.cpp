#include "fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "compare/text_hash.hpp"
#include "data/file.hpp"
#include "kernmix/version.hpp"

namespace kernmix::cli {
namespace {

/// Options that leave numbers as they are. The name of an experiment file: what is in it counts.
constexpr std::array kWithoutEffect = {"help",       "output",   "json",   "csv",        "latex",
                                       "figure",     "journal",  "part",   "gather",     "quiet",
                                       "verbose",    "threads",  "memory", "time-limit", "config",
                                       "EXPERIMENT", "all-cells"};

bool has_effect(const CLI::Option& option) {
  const auto is_listed = [](const std::string& name) {
    return std::ranges::find(kWithoutEffect, std::string_view(name)) != kWithoutEffect.end();
  };
  return std::ranges::none_of(option.get_lnames(), is_listed) && !is_listed(option.get_name());
}

/// As they were given, or the default.
std::vector<std::string> values_of(const CLI::Option& option) {
  if (option.count() > 0) return option.results();
  if (option.get_default_str().empty()) return {};
  return {option.get_default_str()};
}

/// Of the file that the text names, FILE or NAME=FILE; empty where it names none.
std::string contents_hash(const std::string& text) {
  std::error_code failure;
  const std::size_t sign = text.find('=');
  for (const std::string& path :
       {text, sign == std::string::npos ? std::string() : text.substr(sign + 1)}) {
    if (!path.empty() && std::filesystem::is_regular_file(path, failure)) {
      return fmt::format("{:016x}", text_hash(read_file(path)));
    }
  }
  return {};
}

}  // namespace

std::uint64_t run_fingerprint(const CLI::App& command, const std::vector<std::string>& files,
                              const std::string& more) {
  std::string all = fmt::format("{} {}\n{}\n", KERNMIX_VERSION, command.get_name(), more);
  for (const CLI::Option* option : command.get_options()) {
    if (!has_effect(*option)) continue;
    for (const std::string& value : values_of(*option)) {
      all += fmt::format("{} {} {} {}\n", option->get_name(), value.size(), value,
                         contents_hash(value));
    }
  }
  for (const std::string& file : files) all += contents_hash(file) + "\n";
  return text_hash(all);
}

}  // namespace kernmix::cli
