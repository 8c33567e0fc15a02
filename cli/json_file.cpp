#include "json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory/memory_text.hpp"
#include "kernmix/error.hpp"
#include "model/file/file.hpp"

namespace kernmix::cli {

namespace {

constexpr int deepest_nesting = 64;  ///< results of kernmix stay below 10

/// Memory of a document during parsing: small values take more memory than their text.
class Growth {
 public:
  Growth(const std::string& text, const std::string& file, const Context& context)
      : bytes_(text.size()), file_(file), context_(context) {}

  void add_event() {
    constexpr std::size_t event = 64;  // a key in its tree, or a value in its list
    constexpr std::size_t seldom = 1000;
    bytes_ += event;
    if (context_.memory_bytes > 0 && bytes_ > context_.memory_bytes) {
      throw ResourceError(fmt::format("{}: takes more than the memory budget of {}", file_,
                                      memory_text(context_.memory_bytes)));
    }
    if (++events_ % seldom == 0) stop_reading_if_asked(file_, context_);
  }

 private:
  std::size_t bytes_;
  std::size_t events_ = 0;
  const std::string& file_;
  const Context& context_;
};

}  // namespace

nlohmann::json read_json(const std::string& file, const Context& context) {
  return parse_json(read_file(file, context), file, context);
}

nlohmann::json parse_json(const std::string& text, const std::string& file,
                          const Context& context) {
  Growth growth(text, file, context);
  const auto limit_depth = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    growth.add_event();
    if (depth <= deepest_nesting) return true;
    throw DataError(fmt::format("{}: JSON with more than {} levels is not a result of kernmix",
                                file, deepest_nesting));
  };
  try {
    return nlohmann::json::parse(text, limit_depth);
  } catch (const nlohmann::json::out_of_range&) {
    throw DataError(
        fmt::format("{}: JSON with a number outside the range of double precision", file));
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw DataError(
        fmt::format("{}:{}: not JSON; give a file that kernmix wrote with --json", file, line));
  }
}

nlohmann::json read_result(const std::string& file, const std::string& command,
                           const Context& context) {
  nlohmann::json document = read_json(file, context);
  const auto found = document.is_object() ? document.find("command") : document.end();
  if (found == document.end() || *found != command) {
    throw DataError(fmt::format("{}: not a result of kernmix {} --json", file, command));
  }
  return document;
}

}  // namespace kernmix::cli
