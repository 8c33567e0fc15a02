#pragma once
/// \file
/// An attribute of an ARFF file and what its words become.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/arff/arff_header.hpp"
#include "data/roles.hpp"

namespace kernmix {

struct ArffColumn {
  /// \throws DataError for an attribute that cannot be what it is for, and for one whose words the
  /// model of `file` does not know
  ArffColumn(ArffAttribute described, Role purpose, const InputFile& file);

  ArffAttribute attribute;
  Role role;
  std::unordered_set<std::string> listed;  ///< the values of a nominal attribute
  /// Words that stand for their places here: those of the model, else of the header; none where the
  /// column holds numbers.
  std::vector<std::string> categories;
  std::unordered_map<std::string, double> codes;  ///< of the categories
  /// What a sparse row means by leaving the column out; empty where that is nothing.
  std::string left_out;
};

[[nodiscard]] inline bool is_missing(const ArffWord& word) {
  return word.text == "?" && !word.quoted;
}

}  // namespace kernmix
