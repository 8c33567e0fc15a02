#pragma once
/// \file
/// What labels mean: two classes with their names and signs, or numbers.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// The names of the two classes; y = -1 is `negative`, y = +1 is `positive`.
struct BinaryLabels {
  std::string negative;
  std::string positive;

  /// Finds the two classes. Numeric labels ("1", "1.0", "-1") are compared as numbers and ordered
  /// by value, others as text; the larger is positive unless `positive` names it.
  /// \throws DataError for fewer or more than two classes, naming them and counting samples
  [[nodiscard]] static BinaryLabels find(const std::vector<std::string>& labels,
                                         const std::string& positive = "");

  /// +1 / -1 for each label. \throws DataError naming the first unknown label and its row
  [[nodiscard]] Vector encode(const std::vector<std::string>& labels) const;
};

/// The labels as numbers, which regression learns from.
/// \throws DataError naming the first label that is not a finite number, and its row
[[nodiscard]] Vector numbers_of(const std::vector<std::string>& labels);

}  // namespace kernmix
