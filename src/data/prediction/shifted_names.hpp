#pragma once
/// \file
/// Columns that are counted from 0 in one table and from 1 in another one.

#include <string>
#include <vector>

namespace kernmix {

/// How the counted names of new samples relate to those of training.
struct CountedNames {
  bool shifted = false;    ///< each name means the neighbour of the column that it names
  bool one_more = false;   ///< 0, ..., D beside 1, ..., D: the column 0 is a feature or is none
  std::string sentence{};  ///< of both, without a file; the remedy of a shift
};

/// Compares names that are whole numbers, or NAME.NUMBER of several files. They are shifted if the
/// columns of training are exactly 1, ..., D and the features are some of 0, ..., D - 1 with 0, or
/// the other way round. \param training  all columns of training
[[nodiscard]] CountedNames compare_counts(const std::vector<std::string>& features,
                                          const std::vector<std::string>& training);

/// \throws DataError if the names are shifted. \param source  file name(s)
void refuse_shifted_names(const std::vector<std::string>& features,
                          const std::vector<std::string>& training, const std::string& source);

}  // namespace kernmix
