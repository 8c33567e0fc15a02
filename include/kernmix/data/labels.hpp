#pragma once
/// \file
/// What labels mean: two classes with their names and signs, K classes, several labels at once, or
/// numbers.

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

/// The names of K >= 2 classes in ascending order; class k is `names[k]`.
struct ClassLabels {
  std::vector<std::string> names;

  /// Finds the classes. Numeric labels ("1", "1.0", "-1") are compared as numbers and ordered by
  /// value, others as text and ordered by their bytes; a class is called as it is first written.
  /// \throws DataError for fewer than two classes
  [[nodiscard]] static ClassLabels find(const std::vector<std::string>& labels);

  /// The class of each label, 0 to K - 1. \throws DataError naming the first unknown label and its
  /// row
  [[nodiscard]] std::vector<Index> encode(const std::vector<std::string>& labels) const;
};

/// Which of T labels each of n samples has: any number of them, also none.
struct MultiLabels {
  std::vector<std::string> names;  ///< T, unique
  std::vector<unsigned char>
      values;  ///< n x T, row-major: 1 where the sample has the label, else 0

  [[nodiscard]] Index samples() const { return names.empty() ? 0 : length(values) / length(names); }
  [[nodiscard]] bool has(Index sample, Index label) const {
    return values[static_cast<std::size_t>(sample * length(names) + label)] != 0;
  }
  /// +1 / -1 for each sample: whether it has the label or not.
  [[nodiscard]] Vector signs(Index label) const;
};

/// The names of labels in a MULAN file, `<labels><label name="..."/>...</labels>`, in its order;
/// those of nested labels follow the label that holds them.
/// \throws DataError for another document, a label without name, and names that occur twice
[[nodiscard]] std::vector<std::string> read_label_names(const std::string& file);

/// The labels as numbers, which regression learns from.
/// \throws DataError naming the first label that is not a finite number, and its row
[[nodiscard]] Vector numbers_of(const std::vector<std::string>& labels);

}  // namespace kernmix
