#pragma once
/// \file
/// Whether two runs of a command ask for the same.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix::cli {

/// A hash of what was read, wherever that came from.
class ContentHash {
 public:
  void add(std::string_view text);
  void add(ConstSpan numbers);
  void add(const std::vector<Index>& numbers);
  void add(const std::vector<Fold>& folds);
  /// Table, views and matrices, each entry of them. \throws ResourceError where the context says
  /// stop
  void add(const Dataset& data, const Context& context);

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_table(const Table& table, const Context& context);
  void add_texts(const std::vector<std::string>& texts);
  void add_bytes(const void* first, std::size_t bytes);

  std::uint64_t value_ = 0;
};

/// Of the version, of what was read, and of the values of all options of `command` (defaults
/// included, a configuration file applied) but those that name files or say what the run may use.
/// So an option that is added counts.
[[nodiscard]] std::uint64_t run_fingerprint(const CLI::App& command, const ContentHash& content);

}  // namespace kernmix::cli
