#pragma once
/// \file
/// An attribute of an ARFF file and what its words become.

#include <string>
#include <unordered_map>

#include "data/arff/arff_header.hpp"
#include "data/roles.hpp"

namespace kernmix {

struct ArffColumn {
  /// \throws DataError for an attribute that cannot be what it is for; `path` is for the message
  ArffColumn(ArffAttribute described, Role purpose, const std::string& path);

  ArffAttribute attribute;
  Role role;
  /// What nominal values stand for: the numbers that they are, or 0 and 1 for two in their order.
  std::unordered_map<std::string, double> numbers;
  /// What a sparse row means by leaving the column out; empty where that is nothing.
  std::string left_out;
};

[[nodiscard]] inline bool is_missing(const ArffWord& word) {
  return word.text == "?" && !word.quoted;
}

}  // namespace kernmix
