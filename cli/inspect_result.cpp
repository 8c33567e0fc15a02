#include "inspect_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "json_file.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/scores.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

/// Of the solver; the other values say the same in words of a user.
constexpr std::array<std::string_view, 5> kHidden = {"bank_passes", "inner_gap", "outer_gap",
                                                     "inner_iterations", "least_size"};

std::string shown_value(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  const bool one = value.size() == 1;
  const char* const unit = value.is_array() ? (one ? "entry" : "entries")
                           : one            ? "field"
                                            : "fields";
  return fmt::format("{} {}", value.size(), unit);
}

using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// Name and number of each entry of a list that has both.
NamedNumbers named_numbers(const nlohmann::json& content, const char* list, const char* name,
                           const char* number) {
  NamedNumbers found;
  if (!content.contains(list) || !content[list].is_array()) return found;
  for (const nlohmann::json& entry : content[list]) {
    if (!entry.is_object() || !entry.contains(name) || !entry.contains(number)) continue;
    if (!entry[name].is_string() || !entry[number].is_number()) continue;
    found.emplace_back(entry[name].get<std::string>(), entry[number].get<double>());
  }
  return found;
}

/// An empty line and the table, or empty without rows.
std::string numbers_table(const char* name, const char* number, const NamedNumbers& all) {
  constexpr std::size_t shown = 10;
  if (all.empty()) return "";
  std::vector<Row> rows = {{name, number}};
  for (const auto& [text, value] : all) {
    if (rows.size() > shown) break;
    rows.push_back({text, fmt::format("{:.4g}", value)});
  }
  const std::string more =
      all.size() > shown ? fmt::format("... and {} more\n", all.size() - shown) : std::string();
  return "\n" + aligned(rows, true) + more;
}

std::string weights_text(const nlohmann::json& content) {
  NamedNumbers weights = named_numbers(content, "weights", "kernel", "weight");
  std::erase_if(weights, [](const auto& one) { return one.second == 0.0; });
  std::ranges::stable_sort(weights, std::greater(), &NamedNumbers::value_type::second);
  return numbers_table("kernel", "weight", weights);
}

/// The text of a field, or empty.
std::string text_of(const nlohmann::json& content, const char* field) {
  const auto found = content.find(field);
  return found != content.end() && found->is_string() ? found->get<std::string>() : "";
}

bool smaller_is_better(const nlohmann::json& content) {
  const std::string score = text_of(content, "score");
  try {
    return !score.empty() && !score_rule(score).larger_is_better;
  } catch (const Error&) {
    return false;  // of another version
  }
}

/// The candidates of a search, the best first, whether larger or smaller scores are better.
std::string candidates_text(const nlohmann::json& content) {
  NamedNumbers means = named_numbers(content, "candidates", "name", "mean");
  const auto mean = &NamedNumbers::value_type::second;
  if (smaller_is_better(content)) {
    std::ranges::stable_sort(means, std::less(), mean);
  } else {
    std::ranges::stable_sort(means, std::greater(), mean);
  }
  return numbers_table("candidate", "mean", means);
}

/// Of an evaluation, and of each model of a cross-validation.
std::string metrics_text(const nlohmann::json& content) {
  std::string text =
      numbers_table("metric", "value", named_numbers(content, "metrics", "name", "value"));
  if (!content.contains("models") || !content["models"].is_array()) return text;
  for (const nlohmann::json& model : content["models"]) {
    if (!model.is_object() || !model.contains("expected")) continue;
    const nlohmann::json& expected = model["expected"];
    if (!expected.is_object()) continue;
    const std::string name = content["models"].size() > 1 ? text_of(model, "name") : "";
    text += numbers_table("metric", name.empty() ? "value" : name.c_str(),
                          named_numbers(expected, "metrics", "name", "value"));
  }
  return text;
}

}  // namespace

Findings inspect_result(const std::string& file, const Context& context) {
  const nlohmann::json content = read_json(file, context);
  if (!content.is_object())
    throw DataError(fmt::format("{}: JSON, but not a result of kernmix", file));
  std::vector<Row> facts = {{"file", "JSON"}};
  for (const auto& item : content.items()) {
    if (std::ranges::find(kHidden, item.key()) != kHidden.end()) continue;
    facts.push_back({item.key(), shown_value(item.value())});
  }
  return {aligned(facts) + metrics_text(content) + candidates_text(content) + weights_text(content),
          Json{{"version", KERNMIX_VERSION},
               {"command", "inspect"},
               {"kind", "json"},
               {"file", file},
               {"result_of", text_of(content, "command")}}};
}

}  // namespace kernmix::cli
