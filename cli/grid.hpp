#pragma once
/// \file
/// The ends of a grid.

#include <string>
#include <vector>

#include "kernmix/selection/comparison.hpp"

namespace kernmix::cli {

/// Whether `value` is the smallest or the largest of several values that candidates have for `key`.
[[nodiscard]] bool is_end_of_grid(const std::vector<Candidate>& candidates, const std::string& key,
                                  double value, bool largest);

}  // namespace kernmix::cli
