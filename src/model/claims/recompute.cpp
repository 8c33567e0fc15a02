#include "model/claims/recompute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernel/subset_source.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/error.hpp"
#include "model/solving/kernel_store.hpp"
#include "model/solving/solve_tasks.hpp"

namespace kernmix {
namespace {

/// Dual vectors of a task on its rows. \param values  of its support vectors
Vector on_task_rows(const TaskModel& task, ConstSpan values, const TrainingData& found,
                    const Task& shared, Index n) {
  std::vector<Index> rows;
  for (const Index s : task.support) rows.push_back(found.rows[static_cast<std::size_t>(s)]);
  for (std::size_t k = 0; k < rows.size() && !shared.rows.empty(); ++k) {
    if (values[k] == 0.0 || std::ranges::binary_search(shared.rows, rows[k])) continue;
    throw DataError(fmt::format("task '{}' has a dual variable of a sample that is not its own: {}",
                                task.name, rows[k] + 1));
  }
  return on_rows(shared, on_training_rows(values, rows, n));
}

/// A witness of shared weights has a part for every task; parts without support vectors are zero.
std::vector<Vector> whole_witness(const TaskSet& set, std::vector<Vector> witness) {
  const auto known = [](const Vector& own) { return !own.empty(); };
  if (std::ranges::none_of(witness, known)) return {};
  for (std::size_t k = 0; k < witness.size(); ++k) {
    if (witness[k].empty()) witness[k].assign(set.tasks[k].y.size(), 0.0);
  }
  return witness;
}

Vector copied(ConstSpan values) { return {values.begin(), values.end()}; }

TasksCertificate certify_separate(const Model& model, const TaskSet& set, const TrainingData& found,
                                  const TaskDuals& duals, const Context& context) {
  const bool pairs = set.targets.scheme == TaskScheme::one_vs_one;
  std::optional<ReferenceKernels> exact;
  TasksCertificate all;
  for (Index k = 0; k < set.size(); ++k) {
    if (pairs || !exact) {
      exact.emplace(subset_sources(found.kernels.sources, set.task(k).rows), context);
    }
    const auto at = static_cast<std::size_t>(k);
    const ConstSpan d = model.task_weights(k);
    Problem problem = set.alone(k, exact->bank());
    problem.regularizer = with_chosen_weights(problem.regularizer, copied(d));
    std::vector<Vector> witness;
    if (!duals.witness[at].empty()) witness.push_back(duals.witness[at]);
    const CertifiedPoint point = exact->certify(problem, d, {duals.a[at]}, witness, context);
    const Certificate& own = point.certificate;
    add_bounds(own, all.bounds);
    all.converged = all.converged && own.relative_gap() <= model.settings.tolerance;
    all.tasks.push_back({point.Z.values, point.Q.values, own.only_bias(), own.primal, own.gap});
  }
  return all;
}

/// Tasks that share weights, or classes that are trained together: each with its functions.
TasksCertificate certify_coupled(const Model& model, const TaskSet& set,
                                 const ReferenceKernels& exact, const TaskDuals& duals,
                                 const Context& context) {
  const Problem problem = set.problem(exact.bank());
  const CertifiedPoint point =
      exact.certify(problem, model.weights.row(0), by_tasks(problem, duals.a),
                    by_tasks(problem, whole_witness(set, duals.witness)), context, model.gamma);
  const Certificate& own = point.certificate;
  TasksCertificate all{own, {}};
  const std::vector<Vector> z = by_functions(problem, from_panel(problem, point.Z));
  for (Index row = 0; row < point.Z.rows; ++row) {
    const auto k = to_size(row / problem.functions);
    const auto u = to_size(row % problem.functions);
    all.tasks.push_back({z[to_size(row)], copied(point.Q.row(row)), own.bias[k][u],
                         set.joint() ? 0.0 : own.task_primal[k],
                         set.joint() ? 0.0 : own.task_gap[k]});
  }
  return all;
}

}  // namespace

TaskDuals duals_of(const Model& model, const TaskSet& set, const TrainingData& found) {
  TaskDuals duals;
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    const TaskModel& task = model.tasks[k];
    const auto on_its_rows = [&](const Vector& values) {
      return on_task_rows(task, values, found, set.tasks[k], model.training_samples);
    };
    duals.a.push_back(on_its_rows(task.coefficients));
    duals.witness.push_back(task.witness.empty() ? Vector() : on_its_rows(task.witness));
  }
  return duals;
}

void check_duals(const TaskSet& set, const TaskDuals& duals, const KernelBank& bank) {
  const std::vector<Vector> witness = whole_witness(set, duals.witness);
  // What a task's dual vector may be does not depend on how weights are shared.
  const Problem problem =
      set.joint() ? set.joint_problem(bank)
                  : Problem{bank, set.loss, set.regularizer, set.tasks, Coupling::sum, set.bias};
  (void)feasible_duals(problem, by_tasks(problem, duals.a));
  if (!witness.empty()) (void)feasible_duals(problem, by_tasks(problem, witness));
}

TasksCertificate certify_again(const Model& model, const TaskSet& set, const TrainingData& found,
                               const TaskDuals& duals, const Context& context) {
  if (!set.sharing && !set.joint()) return certify_separate(model, set, found, duals, context);
  const ReferenceKernels exact(found.kernels.sources, context);
  return certify_coupled(model, set, exact, duals, context);
}

}  // namespace kernmix
