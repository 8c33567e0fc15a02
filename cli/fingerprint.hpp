#pragma once
/// \file
/// Fingerprints of runs, to detect whether a journal belongs to the same run.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix::cli {

/// A hash of the content of inputs.
class ContentHash {
 public:
  void add(std::string_view text);
  void add(ConstSpan numbers);
  void add(const std::vector<Index>& numbers);
  void add(const std::vector<Fold>& folds);
  /// Adds all entries of table, views and matrices. \throws ResourceError if the context requests a
  /// stop
  void add(const Dataset& data, const Context& context);

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_table(const Table& table, const Context& context);
  void add_texts(const std::vector<std::string>& texts);
  void add_bytes(const void* first, std::size_t bytes);

  std::uint64_t value_ = 0;
};

/// Hash of the version, the content of inputs, and the values of all options of `command`
/// (including defaults and the configuration file), except options that name files or resources.
/// New options are therefore included automatically.
[[nodiscard]] std::uint64_t run_fingerprint(const CLI::App& command, const ContentHash& content);

}  // namespace kernmix::cli
