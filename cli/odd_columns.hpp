#pragma once
/// \file
/// Columns of a table that deserve a look before training.

#include <string>
#include <vector>

#include "kernmix/data.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// A number that probably stands for a missing cell: it occurs several times, far from all others.
struct Sentinel {
  std::string column;
  double value = 0.0;
  Index cells = 0;
  bool smallest = true;  ///< of the column; otherwise the largest
};

struct OddColumns {
  std::vector<std::string> constant;  ///< with one number in all cells that are not missing
  std::vector<Sentinel> sentinels;
};
/// Of a table in memory; none of a sparse one and of columns of words.
/// \throws ResourceError if the context says stop
[[nodiscard]] OddColumns odd_columns(const Table& table, const Context& context);

[[nodiscard]] std::string odd_columns_text(const OddColumns& odd);
[[nodiscard]] Json odd_columns_json(const OddColumns& odd);

}  // namespace kernmix::cli
