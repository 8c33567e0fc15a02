#include "model/file/header.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::uint64_t largest_count = std::uint64_t{1} << 53;

[[noreturn]] void refuse(const char* key, const char* expected) {
  throw DataError(fmt::format("has a header in which '{}' is not {}", key, expected));
}

const Json& member(const Json& parent, const char* key) {
  if (!parent.is_object()) throw DataError(fmt::format("has a header without '{}'", key));
  const auto found = parent.find(key);
  if (found == parent.end()) throw DataError(fmt::format("has a header without '{}'", key));
  return *found;
}

double finite(const Json& value, const char* key) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) refuse(key, "a finite number");
  return value.get<double>();
}

}  // namespace

const Json& get_object(const Json& parent, const char* key) {
  const Json& value = member(parent, key);
  if (!value.is_object()) refuse(key, "an object");
  return value;
}

const Json& get_list(const Json& parent, const char* key) {
  const Json& value = member(parent, key);
  if (!value.is_array()) refuse(key, "a list");
  return value;
}

double get_number(const Json& parent, const char* key) { return finite(member(parent, key), key); }

Index get_count(const Json& parent, const char* key) {
  const Json& value = member(parent, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest_count) {
    refuse(key, "a whole number from 0 to 2^53");
  }
  return static_cast<Index>(value.get<std::uint64_t>());
}

bool get_flag(const Json& parent, const char* key) {
  const Json& value = member(parent, key);
  if (!value.is_boolean()) refuse(key, "true or false");
  return value.get<bool>();
}

const std::string& get_text(const Json& parent, const char* key) {
  const Json& value = member(parent, key);
  if (!value.is_string()) refuse(key, "a text");
  return value.get_ref<const std::string&>();
}

std::vector<std::string> get_texts(const Json& parent, const char* key) {
  std::vector<std::string> texts;
  for (const Json& value : get_list(parent, key)) {
    if (!value.is_string()) refuse(key, "a list of texts");
    texts.push_back(value.get_ref<const std::string&>());
  }
  return texts;
}

Vector get_numbers(const Json& parent, const char* key) {
  Vector numbers;
  for (const Json& value : get_list(parent, key)) numbers.push_back(finite(value, key));
  return numbers;
}

}  // namespace kernmix
