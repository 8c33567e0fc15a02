#include "json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernmix/error.hpp"
#include "model/file.hpp"

namespace kernmix::cli {

nlohmann::json read_json(const std::string& file) {
  const std::string text = read_file(file);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw DataError(
        fmt::format("{}:{}: not JSON; give a file that kernmix wrote with --json", file, line));
  }
}

nlohmann::json read_result(const std::string& file, const std::string& command) {
  nlohmann::json document = read_json(file);
  const auto found = document.is_object() ? document.find("command") : document.end();
  if (found == document.end() || *found != command) {
    throw DataError(fmt::format("{}: not a result of kernmix {} --json", file, command));
  }
  return document;
}

}  // namespace kernmix::cli
