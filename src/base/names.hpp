#pragma once
/// \file
/// Values of an enum and their names in files and options, as the rows of a table:
///
///   constexpr Named<Bias> bias_names[] = {{Bias::free, "free"}, {Bias::none, "none"}};

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernmix {

template <typename Value>
struct Named {
  Value value;
  std::string_view name;
};

/// "unknown" if the table does not have the value.
template <typename Value, std::size_t n>
[[nodiscard]] std::string name_in(const Named<Value> (&table)[n], Value value) {
  for (const Named<Value>& row : table) {
    if (row.value == value) return std::string(row.name);
  }
  return "unknown";
}

/// All names of the table, in its order.
template <typename Value, std::size_t n>
[[nodiscard]] std::vector<std::string> names_in(const Named<Value> (&table)[n]) {
  std::vector<std::string> names;
  for (const Named<Value>& row : table) names.emplace_back(row.name);
  return names;
}

/// The value with exactly this name, if the table has it.
template <typename Value, std::size_t n>
[[nodiscard]] std::optional<Value> find_in(const Named<Value> (&table)[n], std::string_view name) {
  for (const Named<Value>& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

}  // namespace kernmix
