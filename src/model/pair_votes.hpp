#pragma once

#include <vector>

#include "kernmix/model.hpp"

namespace kernmix {

/// One-vs-one: each pair votes for `positive` if its decision value is >= 0, otherwise for
/// `negative`. Decision values are summed to D for each class and mapped to D / (3 (|D| + 1)),
/// which breaks ties of votes: scikit-learn's _ovr_decision_function. \param task_decision n x
/// tasks; \returns n x K
[[nodiscard]] Matrix pair_votes(const std::vector<TaskModel>& tasks, Index K,
                                const Matrix& task_decision);

}  // namespace kernmix
