#include "json_fields.hpp"

#include <cmath>

namespace kernmix::report {

using Json = nlohmann::json;

const Json& member(const Json& json, const std::string& key) {
  static const Json absent;
  if (!json.is_object()) return absent;
  const auto found = json.find(key);
  return found == json.end() ? absent : *found;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  std::string out;
  if (value.is_array()) {
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + text_of(item);
  }
  return out;
}

std::optional<double> get_number(const Json& json, const std::string& key) {
  const Json& value = member(json, key);
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string get_text(const Json& json, const std::string& key) {
  return text_of(member(json, key));
}

std::vector<double> read_values(const Json& list) {
  std::vector<double> values;
  for (const Json& item : list) {
    if (item.is_number()) values.push_back(item.get<double>());
  }
  return values;
}

std::vector<bool> read_flags(const Json& list) {
  std::vector<bool> flags;
  for (const Json& item : list) {
    if (item.is_boolean()) flags.push_back(item.get<bool>());
  }
  return flags;
}

std::vector<std::string> read_texts(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& item : list) texts.push_back(text_of(item));
  return texts;
}

}  // namespace kernmix::report
