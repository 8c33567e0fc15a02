#include "model/claims/recompute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernel/subset_source.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Dual vectors of a task on its rows. \param values  of its support vectors
Vector on_task_rows(const TaskModel& task, ConstSpan values, const TrainingData& found,
                    const Task& shared, Index n) {
  std::vector<Index> rows;
  for (const Index s : task.support) {
    rows.push_back(!found.landmarks            ? found.rows[to_size(s)]
                   : found.row_of_dual.empty() ? s
                                               : found.row_of_dual[to_size(s)]);
  }
  for (std::size_t k = 0; k < rows.size() && !shared.rows.empty(); ++k) {
    if (values[k] == 0.0 || std::ranges::binary_search(shared.rows, rows[k])) continue;
    throw DataError(fmt::format("task '{}' has a dual variable of a sample that is not its own: {}",
                                task.name, rows[k] + 1));
  }
  return on_rows(shared, on_training_rows(values, rows, n));
}

/// A witness has a part for every task; parts without support vectors are zero.
std::vector<Vector> whole_witness(const std::vector<Vector>& a, std::vector<Vector> witness) {
  if (std::ranges::all_of(witness, &Vector::empty)) return {};
  for (std::size_t k = 0; k < witness.size(); ++k) {
    if (witness[k].empty()) witness[k].assign(a[k].size(), 0.0);
  }
  return witness;
}

/// The dual vectors of one part.
TaskDuals duals_in(const TaskSet& set, Index part, const TaskDuals& all) {
  if (!set.separate()) return all;
  return {{all.a[to_size(part)]}, {all.witness[to_size(part)]}};
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
  const std::vector<Vector> witness = whole_witness(duals.a, duals.witness);
  // The feasible set of dual vectors does not depend on the sharing of weights.
  const Problem problem =
      set.separate() ? Problem{bank, set.loss, set.regularizer, set.tasks, Coupling::sum, set.bias}
                     : set.problem(0, bank);
  (void)feasible_duals(problem, by_tasks(problem, duals.a));
  if (!witness.empty()) (void)feasible_duals(problem, by_tasks(problem, witness));
}

TasksCertificate certify_again(const Model& model, const TaskSet& set, const TrainingData& found,
                               const TaskDuals& duals, const Context& context) {
  std::optional<ReferenceKernels> exact;
  TasksCertificate all;
  for (Index part = 0; part < set.parts(); ++part) {
    if (set.of_pairs() || !exact) {
      exact.emplace(subset_sources(found.kernels.sources, set.rows(part)));
    }
    const ConstSpan d = model.task_weights(part);
    Problem problem = set.problem(part, exact->bank());
    problem.regularizer = with_chosen_weights(problem.regularizer, {d.begin(), d.end()});
    const auto [a, witness] = duals_in(set, part, duals);
    all.add(problem, exact->certify(problem, d, by_tasks(problem, a),
                                    by_tasks(problem, whole_witness(a, witness)), context,
                                    set.separate() ? ConstSpan() : ConstSpan(model.gamma)));
  }
  return all;
}

}  // namespace kernmix
