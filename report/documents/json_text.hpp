#pragma once
/// \file
/// JSON of results.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace kernmix::documents {

/// Keys keep the order in which they are written down here.
using Json = nlohmann::ordered_json;

/// JSON has no infinity: values that are absent or not finite are null.
[[nodiscard]] Json json_number(const std::optional<double>& value);

/// A JSON document with indentation and a line break at its end; bytes that are not UTF-8 are
/// replaced.
[[nodiscard]] std::string json_text(const Json& document);

/// What a command found out, for people and for programs.
struct Findings {
  std::string text;
  Json document;
};

}  // namespace kernmix::documents
