#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "blas_threads.hpp"
#include "kernel/subset_source.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/error.hpp"
#include "model/multi/answer.hpp"
#include "model/training_data.hpp"

namespace kernmix {
namespace {

TaskSet task_set_of(const MultiModel& model, TaskTargets targets) {
  TaskSet set{{parse_loss(model.settings.loss), model_regularizer(model),
               parse_bias(model.settings.bias), kernel_descriptions(model)},
              std::move(targets),
              model.settings.class_weights,
              {},
              {},
              parse_task_sharing(model.scheme, model.sharing)};
  set_tasks(model.settings.C, model.sample_weights, set);
  return set;
}

/// Dual vectors of a task on its rows. \param values  of its support vectors
Vector on_task_rows(const TaskModel& task, ConstSpan values, const TrainingData& found,
                    const SharedTask& shared, Index n) {
  std::vector<Index> rows;
  for (const Index s : task.support) rows.push_back(found.rows[static_cast<std::size_t>(s)]);
  return on_rows(shared, on_training_rows(values, rows, n));
}

struct TaskDuals {
  std::vector<Vector> a;
  std::vector<Vector> proof;  ///< of each task, maybe empty
};

TaskDuals duals_of(const MultiModel& model, const TaskSet& set, const TrainingData& found) {
  TaskDuals duals;
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    const TaskModel& task = model.tasks[k];
    const auto on_its_rows = [&](const Vector& values) {
      return on_task_rows(task, values, found, set.tasks[k], model.training_samples);
    };
    duals.a.push_back(on_its_rows(task.coefficients));
    duals.proof.push_back(task.proof.empty() ? Vector() : on_its_rows(task.proof));
  }
  return duals;
}

/// A proof of shared weights has a part for every task; parts without support vectors are zero.
std::vector<Vector> shared_proof(const TaskSet& set, std::vector<Vector> proof) {
  const auto known = [](const Vector& own) { return !own.empty(); };
  if (std::ranges::none_of(proof, known)) return {};
  for (std::size_t k = 0; k < proof.size(); ++k) {
    if (proof[k].empty()) proof[k].assign(set.tasks[k].y.size(), 0.0);
  }
  return proof;
}

Bounds recompute_separate(const MultiModel& model, const TaskSet& set, const TaskDuals& duals,
                          const TrainingData& found, const Context& context) {
  const bool pairs = set.targets.scheme == TaskScheme::one_vs_one;
  std::optional<ReferenceKernels> exact;
  Bounds sum;
  for (Index k = 0; k < set.size(); ++k) {
    if (pairs || !exact) {
      exact.emplace(subset_sources(found.kernels.sources, set.task(k).rows), context);
    }
    const auto at = static_cast<std::size_t>(k);
    const ConstSpan d = model.task_weights(k);
    Task task = set.alone(k);
    task.regularizer = with_chosen_weights(task.regularizer, Vector(d.begin(), d.end()));
    add_bounds(exact->certify(task.problem(exact->bank()), d, duals.a[at], duals.proof[at], context)
                   .certificate,
               sum);
  }
  return sum;
}

Bounds recompute_tasks(const MultiModel& model, const TaskSet& set, const TrainingData& found,
                       const Context& context) {
  TaskDuals duals = duals_of(model, set, found);
  if (!set.sharing && !set.joint()) return recompute_separate(model, set, duals, found, context);
  const ReferenceKernels exact(found.kernels.sources, context);
  if (set.joint()) {
    return exact
        .certify_joint(set.joint_problem(exact.bank()), model.weights.row(0), from_columns(duals.a),
                       from_columns(shared_proof(set, std::move(duals.proof))), context)
        .certificate;
  }
  return exact
      .certify_shared(set.problem(exact.bank()), model.weights.row(0), duals.a, model.gamma,
                      shared_proof(set, std::move(duals.proof)), context)
      .certificate;
}

}  // namespace

MultiVerification verify_multi(const MultiModel& model, const Dataset& data,
                               const Context& context) {
  const SerialBlas serial_blas;
  TaskTargets targets = encode_targets(model.scheme, model.names, data.table);
  MultiVerification result;
  result.reported = model.certificate;
  result.difference = std::numeric_limits<double>::infinity();
  const auto found = find_training_data(model, data, targets.values, context);
  if (!found) return result;
  result.same_data = true;
  try {
    result.recomputed =
        recompute_tasks(model, task_set_of(model, std::move(targets)), *found, context);
  } catch (const ParameterError& failure) {
    throw DataError(fmt::format("the model contradicts its own settings: {}", failure.what()));
  }
  result.difference = certificate_difference(result.recomputed, result.reported);
  result.agrees = result.difference <= certificate_agreement;
  return result;
}

}  // namespace kernmix
