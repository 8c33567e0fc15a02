#include "json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernmix/error.hpp"
#include "model/file/file.hpp"

namespace kernmix::cli {

namespace {

constexpr int deepest_nesting = 64;  ///< results of kernmix stay below 10

}  // namespace

nlohmann::json read_json(const std::string& file) { return parse_json(read_file(file), file); }

nlohmann::json parse_json(const std::string& text, const std::string& file) {
  const auto limit_depth = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth <= deepest_nesting) return true;
    throw DataError(fmt::format("{}: JSON nested more than {} deep is no result of kernmix", file,
                                deepest_nesting));
  };
  try {
    return nlohmann::json::parse(text, limit_depth);
  } catch (const nlohmann::json::out_of_range&) {
    throw DataError(fmt::format("{}: JSON with a number beyond double precision", file));
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
