#pragma once
/// \file
/// Lists of labels at the beginning of a line, as in LIBSVM's multi-label files.

#include <string>
#include <string_view>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// The labels of "3,1" in canonical order and notation: "1,3". The empty text is the empty set.
/// \throws DataError for an empty item or one that occurs twice; `path` and `line` say where
[[nodiscard]] std::string ordered_label_list(std::string_view list, const std::string& path,
                                             Index line);

/// The labels that `items` select (names, globs, or ranges of numbers, which need not occur) in
/// canonical lists. \throws ParameterError for names that do not occur; DataError without labels
[[nodiscard]] MultiLabels labels_of_lists(const std::vector<std::string>& lists,
                                          const std::vector<std::string>& items,
                                          const std::string& source, std::size_t memory_bytes);

}  // namespace kernmix
