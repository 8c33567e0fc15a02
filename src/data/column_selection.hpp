#pragma once
/// \file
/// Selection of columns by name, glob, 1-based position or range.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// The number that `text` consists of; -1 for anything but digits.
[[nodiscard]] Index parse_position(std::string_view text);

/// Collects columns item by item, without duplicates. Borrows the names.
class ColumnSelection {
 public:
  /// \param source, option the files and the option of the items, for messages
  ColumnSelection(const std::vector<std::string>& columns, std::string source, std::string option);

  /// Adds the columns that `item` selects: a name, a glob (`mean_*`), a position or a range
  /// (`3-12`, `first..last` by name). Names take precedence. \throws ParameterError if there are
  /// none, with similar names
  void add(std::string_view item);

  /// Positions of the columns from 0, in the order in which they were selected.
  [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }

 private:
  [[noreturn]] void refuse(const std::string& reason) const;
  [[noreturn]] void refuse_unknown(std::string_view name) const;
  [[nodiscard]] Index find(std::string_view name) const;
  void add_named_range(std::string_view item, std::string_view first, std::string_view last);
  void add_matches(std::string_view pattern);
  void add_range(Index from, Index to);

  const std::vector<std::string>& columns_;
  std::string source_;
  std::string option_;
  std::unordered_map<std::string_view, Index> position_;
  std::vector<bool> taken_;
  std::vector<Index> chosen_;
};

}  // namespace kernmix
