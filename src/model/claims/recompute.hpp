#pragma once
/// \file
/// The certificate of a model, once more from its training data.

#include <vector>

#include "model/claims/training_data.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The dual vectors of a model, each over the rows of its task.
struct TaskDuals {
  std::vector<Vector> a;
  std::vector<Vector> witness;  ///< of each task, maybe empty
};
[[nodiscard]] TaskDuals duals_of(const Model& model, const TaskSet& set, const TrainingData& found);

/// \throws ParameterError where a dual vector lies outside its set
void check_duals(const TaskSet& set, const TaskDuals& duals, const KernelBank& bank);

/// What the model says of one task.
struct TaskCertificate {
  Vector z;           ///< sum_m f_m(x_i) of its samples, without bias
  Vector q;           ///< a' K_m a, length M
  double bias = 0.0;  ///< the best one
  double primal = 0.0;
  double gap = 0.0;
};

struct TasksCertificate {
  Bounds bounds;
  std::vector<TaskCertificate> tasks;
  bool converged = true;  ///< of separate tasks: each of them, to the model's tolerance
};

/// \param set  of a two-stage regularizer without weights: those of the model are taken
/// \throws ParameterError where weights or dual vectors lie outside their sets
[[nodiscard]] TasksCertificate certify_again(const Model& model, const TaskSet& set,
                                             const TrainingData& found, const TaskDuals& duals,
                                             const Context& context);

}  // namespace kernmix
