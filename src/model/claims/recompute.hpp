#pragma once
/// \file
/// The certificate of a model, once more from its training data.

#include <vector>

#include "model/claims/training_data.hpp"
#include "model/solving/solve_tasks.hpp"

namespace kernmix {

/// The dual vectors of a model, each over the rows of its task.
struct TaskDuals {
  std::vector<Vector> a;
  std::vector<Vector> witness;  ///< of each task, possibly empty
};
[[nodiscard]] TaskDuals duals_of(const Model& model, const TaskSet& set, const TrainingData& found);

/// \throws ParameterError if a dual vector is infeasible
void check_duals(const TaskSet& set, const TaskDuals& duals, const KernelBank& bank);

/// \param set if two-stage without weights, those of the model are used \throws ParameterError if
/// weights or dual vectors are infeasible
[[nodiscard]] TasksCertificate certify_again(const Model& model, const TaskSet& set,
                                             const TrainingData& found, const TaskDuals& duals,
                                             const Context& context);

}  // namespace kernmix
