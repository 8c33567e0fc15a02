#pragma once
/// \file
/// An attribute of an ARFF file and the meaning of its words.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/arff/arff_header.hpp"
#include "data/roles.hpp"

namespace kernmix {

struct ArffColumn {
  /// \throws DataError for an attribute that cannot have its role, and for words that the model of
  /// `file` does not know
  ArffColumn(ArffAttribute described, Role purpose, const InputFile& file);

  ArffAttribute attribute;
  Role role;
  std::unordered_set<std::string> listed;  ///< the values of a nominal attribute
  /// Words whose code is their index here: those of the model, otherwise of the header; empty for a
  /// numeric column.
  std::vector<std::string> categories;
  std::unordered_map<std::string, double> codes;  ///< of the categories
  bool as_indicators = false;                     ///< the categories become indicators
  /// The value of the column in a sparse row that omits it; empty if there is none.
  std::string left_out;

 private:
  void choose_words(const InputFile& file, bool words);
};

[[nodiscard]] inline bool is_missing(const ArffWord& word) {
  return word.text == "?" && !word.quoted;
}

}  // namespace kernmix
