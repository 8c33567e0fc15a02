#pragma once
/// \file
/// Words that look alike and are different: in case, blanks, invisible characters, and the two ways
/// in which Unicode writes a letter with a mark.

#include <string>
#include <string_view>
#include <vector>

namespace kernmix {

/// A text that is the same for words that look alike: in lower case, without blanks and invisible
/// characters, and with each letter and its marks apart. Bytes that are not UTF-8 stay. Letters
/// with marks are those of Latin, Greek, Cyrillic, Japanese and Korean script.
[[nodiscard]] std::string look_of(std::string_view word);

/// How two words with the same look differ: "case or blanks", "a no-break space", "a zero-width
/// character", "letters that are one character or two", several joined by "and".
[[nodiscard]] std::string difference_in_look(std::string_view left, std::string_view right);

/// Of some words that occur several times.
struct LookAlikes {
  std::string first;
  std::string second;
  std::string differ;  ///< difference_in_look()
};
/// Two different words that look alike; without texts if there are none, or more than a thousand
/// different words. \param words  each once or several times
[[nodiscard]] LookAlikes find_look_alikes(const std::vector<std::string>& words);

/// "; the training sample 'p1' looks the same and differs in a no-break space" for the first of the
/// `known` words that looks like `word`, or "". \param what  "training sample"
[[nodiscard]] std::string look_alike_hint(std::string_view word,
                                          const std::vector<std::string>& known,
                                          std::string_view what);

}  // namespace kernmix
