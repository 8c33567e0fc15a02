#pragma once
/// \file
/// The header of an ARFF file.

#include <string>
#include <vector>

#include "data/arff/arff_reader.hpp"

namespace kernmix {

struct ArffAttribute {
  enum class Kind { number, nominal, text, date };
  std::string name;
  Kind kind = Kind::number;
  std::vector<std::string> values;  ///< of a nominal attribute, in the order of the file
};

struct ArffHeader {
  std::vector<ArffAttribute> attributes;  ///< with different names
  Index declared_labels = 0;  ///< `-C n` in MEKA's name of the relation: the first n; < 0: the last
};

/// Reads up to `@data`. \throws DataError naming the line of the error
[[nodiscard]] ArffHeader read_arff_header(ArffReader& reader);

}  // namespace kernmix
