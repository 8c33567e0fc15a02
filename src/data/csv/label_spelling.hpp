#pragma once
/// \file
/// Labels, words, groups and ids that are spelled in two ways.

#include <string>
#include <vector>

namespace kernmix {

/// A sentence on two labels that look alike (look_alike.hpp) and therefore are two classes, with
/// the number of their samples; empty if there are none.
[[nodiscard]] std::string label_spellings(const std::vector<std::string>& labels,
                                          const std::string& column);

/// What words of a column stand for, in a message.
struct SpelledThings {
  const char* words;  ///< "words"
  const char* many;   ///< "categories"
  const char* one;    ///< "category"
};
inline constexpr SpelledThings spelled_categories = {"words", "categories", "category"};
inline constexpr SpelledThings spelled_groups = {"groups", "groups", "group"};
inline constexpr SpelledThings spelled_folds = {"names of folds", "folds", "fold"};
inline constexpr SpelledThings spelled_ids = {"sample ids", "samples", "sample"};

/// The same of other words.
[[nodiscard]] std::string spellings_of(const std::vector<std::string>& words,
                                       const SpelledThings& things, const std::string& column);

}  // namespace kernmix
