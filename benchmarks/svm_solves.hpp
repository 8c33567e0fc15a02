#pragma once
/// \file
/// What a run's history says about its cost.

#include <algorithm>
#include <vector>

#include "kernmix/solve.hpp"

namespace kernmix {

/// Points of a history for which an SVM was solved: all but those whose dual vector was predicted.
template <typename Row>
[[nodiscard]] Index svm_solves(const std::vector<Row>& history) {
  return std::ranges::count_if(history,
                               [](const Row& point) { return point.step != "predicted-dual"; });
}

}  // namespace kernmix
