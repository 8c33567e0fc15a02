#pragma once

#include <vector>

#include "kernmix/model.hpp"

namespace kernmix {

/// One-vs-one: each pair votes for `positive` where its decision value is >= 0, else for
/// `negative`. Decision values are summed to D for each class and squeezed to D / (3 (|D| + 1)),
/// which decides between classes of as many votes: scikit-learn's _ovr_decision_function. \param
/// task_decision  n x tasks;  \returns n x K
[[nodiscard]] Matrix pair_votes(const std::vector<TaskModel>& tasks, Index K,
                                const Matrix& task_decision);

}  // namespace kernmix
