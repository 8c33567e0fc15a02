#include "compare/table_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {

void TableReader::refuse(const std::string& why) const {
  const auto line = table_.source().begin.line;  // 0: of a baseline, which the file does not write
  const std::string place = line == 0 ? file_ : fmt::format("{}:{}", file_, line);
  throw ParameterError(fmt::format("{}: {} {}", place, kind_, why));
}

void TableReader::refuse_key(const std::string& key, const std::string& why) const {
  const toml::node* const node = table_.get(key);
  if (node == nullptr) refuse(fmt::format("lacks '{}': {}", key, why));
  throw ParameterError(
      fmt::format("{}:{}: '{}' of {} {}", file_, node->source().begin.line, key, kind_, why));
}

std::string TableReader::text(const std::string& key) const {
  const auto value = table_[key].value_exact<std::string>();
  if (!value || value->empty()) refuse_key(key, "must be text that is not empty");
  return *value;
}

std::string TableReader::text_or(const std::string& key, const std::string& other) const {
  return has(key) ? text(key) : other;
}

std::vector<std::string> TableReader::texts(const std::string& key) const {
  if (!has(key)) return {};
  const toml::array* const list = table_[key].as_array();
  if (list == nullptr) return {text(key)};
  std::vector<std::string> values;
  for (const toml::node& node : *list) {
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty()) refuse_key(key, "must be text or a list of texts");
    values.push_back(*value);
  }
  return values;
}

std::optional<Index> TableReader::whole(const std::string& key, Index least) const {
  if (!has(key)) return std::nullopt;
  const auto value = table_[key].value_exact<std::int64_t>();
  if (!value || *value < least) {
    refuse_key(key, fmt::format("must be a whole number >= {}", least));
  }
  return static_cast<Index>(*value);
}

std::optional<double> TableReader::number(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  const auto value = table_[key].value<double>();
  if (!value) refuse_key(key, "must be a number");
  return value;
}

bool TableReader::flag(const std::string& key, bool other) const {
  if (!has(key)) return other;
  const auto value = table_[key].value_exact<bool>();
  if (!value) refuse_key(key, "must be true or false");
  return *value;
}

const toml::table* TableReader::inner(const std::string& key) const {
  if (!has(key)) return nullptr;
  const toml::table* const found = table_[key].as_table();
  if (found == nullptr) refuse_key(key, "must be a table such as { C = [0.1, 1, 10] }");
  return found;
}

void TableReader::check_keys(const std::vector<std::string>& own,
                             const std::vector<std::string>& options) const {
  std::vector<std::string> known = own;
  known.insert(known.end(), options.begin(), options.end());
  for (const auto& item : table_) {
    const std::string key(item.first.str());
    if (std::ranges::find(known, key) != known.end()) continue;
    throw ParameterError(
        fmt::format("{}:{}: unknown key {} of {}{}; it has {}, and options of kernmix train", file_,
                    item.second.source().begin.line, in_quotes(key), kind_,
                    did_you_mean(key, known), fmt::join(own, ", ")));
  }
}

}  // namespace kernmix::cli
