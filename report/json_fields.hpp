#pragma once
/// \file
/// Fields of JSON that may not be there: absent, null and wrongly typed ones are absent.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernmix::report {

/// The member, or null.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& json, const std::string& key);
[[nodiscard]] std::optional<double> get_number(const nlohmann::json& json, const std::string& key);
/// Text as it is, numbers and booleans as JSON, arrays of them joined by ", "; else "".
[[nodiscard]] std::string text_of(const nlohmann::json& value);
[[nodiscard]] std::string get_text(const nlohmann::json& json, const std::string& key);
/// The numbers of a list.
[[nodiscard]] std::vector<double> read_values(const nlohmann::json& list);
/// The booleans of a list.
[[nodiscard]] std::vector<bool> read_flags(const nlohmann::json& list);
/// The texts of the members of a list.
[[nodiscard]] std::vector<std::string> read_texts(const nlohmann::json& list);

}  // namespace kernmix::report
