#pragma once
/// \file
/// Bounds of the optimum on the kernels as written, from an answer for the kernels of landmarks.
/// Its functions f_m = d_m sum_p w_p k_m(x_p, .) lie in the spaces of the k_m, with norms there of
/// at most w'A_m w: its primal value is an upper bound. Its dual vectors are feasible: with the
/// forms a'K_m a of the exact kernels they give a lower bound.

#include <optional>
#include <vector>

#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The dual vectors of an answer, each on the rows of its task.
struct AnswerDuals {
  const Matrix& weights;
  ConstSpan gamma;
  const std::vector<Vector>& a;
  const std::vector<Vector>& witness;  ///< of each task, possibly empty
};

/// Evaluates half of S^2 entries of each kernel, S support vectors.
/// \param of_landmarks  the certificate of the answer
[[nodiscard]] Bounds exact_bounds(const TaskSet& set, const AnswerDuals& duals,
                                  const std::vector<KernelSourcePtr>& exact,
                                  const Bounds& of_landmarks, const Context& context);

/// The seconds that exact_bounds() will take, from some of the entries.
[[nodiscard]] double exact_bounds_seconds(const TaskSet& set, const std::vector<Vector>& a,
                                          const std::vector<KernelSourcePtr>& exact,
                                          const Context& context);

}  // namespace kernmix
