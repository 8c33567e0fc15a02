#pragma once
/// \file
/// One table of an experiment file: its own keys, and options of train.

#include <toml++/toml.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix::cli {

class TableReader {
 public:
  /// \param kind  "[[method]]", for messages
  TableReader(const std::string& file, const std::string& kind, const toml::table& table)
      : file_(file), kind_(kind), table_(table) {}

  [[nodiscard]] const toml::table& table() const { return table_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  [[nodiscard]] bool has(const std::string& key) const { return table_.contains(key); }
  /// Text. \throws ParameterError naming file, line and key for other types and for a missing key
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::string text_or(const std::string& key, const std::string& other) const;
  /// Text or a list of it; empty if missing.
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
  [[nodiscard]] std::optional<Index> whole(const std::string& key, Index least) const;
  [[nodiscard]] std::optional<double> number(const std::string& key) const;
  [[nodiscard]] bool flag(const std::string& key, bool other) const;
  [[nodiscard]] const toml::table* inner(const std::string& key) const;

  /// \throws ParameterError for a key that is not in a list
  void check_keys(const std::vector<std::string>& own,
                  const std::vector<std::string>& options) const;

  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse_key(const std::string& key, const std::string& why) const;

 private:
  const std::string& file_;
  std::string kind_;
  const toml::table& table_;
};

}  // namespace kernmix::cli
