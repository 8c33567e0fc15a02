#pragma once
/// \file
/// Typed reading of JSON that may come from a stranger. Every function throws DataError naming the
/// key; none converts between types.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

using Json = nlohmann::ordered_json;

[[nodiscard]] const Json& get_object(const Json& parent, const char* key);
[[nodiscard]] const Json& get_list(const Json& parent, const char* key);
[[nodiscard]] double get_number(const Json& parent, const char* key);  ///< finite
[[nodiscard]] Index get_count(const Json& parent, const char* key);    ///< 0 .. 2^53
[[nodiscard]] bool get_flag(const Json& parent, const char* key);
[[nodiscard]] const std::string& get_text(const Json& parent, const char* key);
[[nodiscard]] std::vector<std::string> get_texts(const Json& parent, const char* key);
[[nodiscard]] Vector get_numbers(const Json& parent, const char* key);

}  // namespace kernmix
