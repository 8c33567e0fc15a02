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
  std::vector<Vector> witness;  ///< of each task, maybe empty
};
[[nodiscard]] TaskDuals duals_of(const Model& model, const TaskSet& set, const TrainingData& found);

/// \throws ParameterError where a dual vector lies outside its set
void check_duals(const TaskSet& set, const TaskDuals& duals, const KernelBank& bank);

/// \param set  of a two-stage regularizer without weights: those of the model are taken
/// \throws ParameterError where weights or dual vectors lie outside their sets
[[nodiscard]] TasksCertificate certify_again(const Model& model, const TaskSet& set,
                                             const TrainingData& found, const TaskDuals& duals,
                                             const Context& context);

}  // namespace kernmix
