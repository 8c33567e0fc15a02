#pragma once
/// \file
/// "NAME=FILE:PLACE": files and places within them, as users write them.

#include <string>

namespace kernmix {

struct FilePlace {
  std::string name;  ///< NAME, or the last part of the place, or the stem of the file name
  std::string file;
  std::string place;   ///< empty: none given
  bool named = false;  ///< NAME was given
};

/// A file that exists with the whole text, or all before a place, as its name has no NAME; a place
/// is given only where the text before it names a file of arrays.
[[nodiscard]] FilePlace file_place(const std::string& specification);

}  // namespace kernmix
