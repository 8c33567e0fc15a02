#pragma once
/// \file
/// The indicators that new samples of a model need.

#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// The indicators whose column is among the columns of a table that are read.
[[nodiscard]] std::vector<Indicators> indicators_read(const std::vector<std::string>& columns,
                                                      const std::vector<Indicators>& indicators);

}  // namespace kernmix
