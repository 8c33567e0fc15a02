#pragma once
/// \file
/// A split that is finished, as a line of a journal.

#include "kernmix/selection/comparison.hpp"
#include "output.hpp"

namespace kernmix::cli {

[[nodiscard]] Json split_line(const ComparedSplit& split);
[[nodiscard]] ComparedSplit split_of_line(const Json& line);

}  // namespace kernmix::cli
