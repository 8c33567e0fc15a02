#include "weights/tasks/task_solver.hpp"

#include <algorithm>
#include <numeric>

#include "base/golden_section.hpp"
#include "base/parallel.hpp"

namespace kernmix {
namespace {

double form_of(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace

TaskSolver::Own::Own(CombinedKernel& kernel, const Problem& shared, Index k)
    : bank(kernel, shared.task(k)),
      problem{bank,       shared.loss, shared.regularizer, shared.task(k).y, shared.task(k).C,
              shared.bias},
      set(kernmix::dual_set(shared, k)) {}

TaskSolver::TaskSolver(const Problem& problem, const Context& context)
    : problem_(problem), context_(context), kernel_(problem.bank) {
  for (Index k = 0; k < problem.size(); ++k) {
    own_.push_back(std::make_unique<Own>(kernel_, problem, k));
    TaskState state;
    state.a.assign(problem.task(k).y.size(), 0.0);
    make_feasible(own(k).set, state.a);
    state.z.assign(state.a.size(), 0.0);
    state.q.assign(static_cast<std::size_t>(problem.kernels()), 0.0);
    states_.push_back(std::move(state));
  }
  std::vector<Index> moved;  // where a = 0 is not feasible
  for (Index k = 0; k < problem.size(); ++k) {
    if (std::ranges::any_of(state(k).a, [](double value) { return value != 0.0; })) {
      moved.push_back(k);
    }
  }
  if (!moved.empty()) evaluate_forms(moved);
}

std::vector<Vector> TaskSolver::dual_vectors() const {
  std::vector<Vector> a;
  for (const TaskState& state : states_) a.push_back(state.a);
  return a;
}

void TaskSolver::start_from(std::vector<Vector> a) {
  for (Index k = 0; k < size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    states_[at].a = std::move(a[at]);
    make_feasible(own(k).set, states_[at].a);
  }
}

void TaskSolver::move_to(ConstSpan d) {
  d_.assign(d.begin(), d.end());
  const Matrix Z = kernel_.product(d_, panel_of(problem_, dual_vectors()), context_);
  parallel_for(context_, size(), [&](Index k) {
    states_[static_cast<std::size_t>(k)].z = on_rows(problem_.task(k), Z.row(k));
    bound(k, primal_along(k));
  });
}

/// The primal value of s K(d) a at the best s: its bounds are those that warm starts need.
double TaskSolver::primal_along(Index k) const {
  constexpr double kLeast = 0.5;
  constexpr double kLargest = 2.0;
  constexpr double kWidth = 0.02;
  const Problem& task = own(k).problem;
  const TaskState& at = state(k);
  const double energy = form_of(at.a, at.z);
  Vector z(at.z.size());
  const auto value = [&](double s) {
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = s * at.z[i];
    const LossPoint loss = loss_at(task.loss, task.bias, task.y(), z, at.a, task.C());
    return -(loss.value + 0.5 * s * s * energy);
  };
  if (energy == 0.0 || task.bias == Bias::penalised) return primal(k);
  return std::min(primal(k), -largest_on(kLeast, kLargest, kWidth, value).value);
}

LossPoint TaskSolver::loss_here(Index k) const {
  const Problem& task = own(k).problem;
  return loss_at(task.loss, task.bias, task.y(), state(k).z, state(k).a, task.C());
}

double TaskSolver::gap(Index k) const { return loss_here(k).gap; }

double TaskSolver::primal(Index k) const {
  return loss_here(k).value + 0.5 * form_of(state(k).a, state(k).z);
}

void TaskSolver::bound(Index k, double upper) {
  TaskState& at = states_[static_cast<std::size_t>(k)];
  const Problem& task = own(k).problem;
  at.gain = dual_gain(task.loss, task.bias, task.y(), at.a, task.C());
  at.lower = at.gain - 0.5 * form_of(d_, at.q);
  at.upper = upper;
}

Index TaskSolver::solve_one(Index k, double target, const Context& context) {
  TaskState& at = states_[static_cast<std::size_t>(k)];
  InnerSolver solver(own(k).problem, own(k).set);
  return solver.solve(d_, target, at.a, at.z, context).iterations;
}

void TaskSolver::solve(std::span<const Index> tasks, ConstSpan targets) {
  std::vector<Index> iterations(tasks.size());
  const auto one = [&](Index t, const Context& context) {
    const auto at = static_cast<std::size_t>(t);
    iterations[at] = solve_one(tasks[at], targets[at], context);
  };
  if (length(tasks) >= context_.workers()) {
    Context serial = context_;
    serial.threads = 1;
    parallel_for(context_, length(tasks), [&](Index t) { one(t, serial); });
  } else {
    for (Index t = 0; t < length(tasks); ++t) one(t, context_);
  }
  svm_solves_ += length(tasks);
  inner_iterations_ += std::accumulate(iterations.begin(), iterations.end(), Index{0});
  evaluate_forms(tasks);
  parallel_for(context_, length(tasks), [&](Index t) {
    const Index k = tasks[static_cast<std::size_t>(t)];
    bound(k, primal(k));
  });
}

void TaskSolver::evaluate_forms(std::span<const Index> tasks) {
  Matrix panel(length(tasks), problem_.samples());
  for (Index t = 0; t < panel.rows; ++t) {
    const Index k = tasks[static_cast<std::size_t>(t)];
    std::ranges::copy(on_all_samples(problem_.task(k), state(k).a, problem_.samples()),
                      panel.row(t).begin());
  }
  const Matrix Q = all_panel_forms(problem_.bank, panel, context_);
  ++bank_passes_;
  for (Index t = 0; t < panel.rows; ++t) {
    const auto k = static_cast<std::size_t>(tasks[static_cast<std::size_t>(t)]);
    states_[k].q.assign(Q.row(t).begin(), Q.row(t).end());
  }
}

}  // namespace kernmix
