#include "kernmix/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// \param whose  "its" for one of several tasks, else "the"
void check_rows(const SharedTask& task, Index n, const char* whose) {
  const Index samples = task.rows.empty() ? n : length(task.rows);
  if (samples < 2) throw DataError(fmt::format("at least 2 samples are needed, got {}", samples));
  if (length(task.y) != samples || length(task.C) != samples) {
    throw ParameterError(
        fmt::format("y and C must have one entry for each of {} {} samples, got {} and {}", whose,
                    samples, task.y.size(), task.C.size()));
  }
  for (std::size_t i = 0; i < task.rows.size(); ++i) {
    const Index row = task.rows[i];
    if (row < 0 || row >= n || (i > 0 && row <= task.rows[i - 1])) {
      throw ParameterError(
          fmt::format("rows must ascend and lie in 0 .. {}, entry {} is {}", n - 1, i + 1, row));
    }
  }
}

void check_classes(const SharedTask& task) {
  if (std::ranges::adjacent_find(task.y, std::not_equal_to<>()) != task.y.end()) return;
  throw DataError(fmt::format("all its samples are in one class, {:+}", task.y.front()));
}

void check_task(const Problem& problem, const SharedTask& task) {
  const bool alone = problem.size() == 1;
  check_rows(task, problem.samples(), alone ? "the" : "its");
  check_loss(problem.loss, problem.bias, task.y, task.C);
  if (!alone && loss_target(problem.loss) == Target::classes) check_classes(task);
}

/// The same with the number of the task in front of what it refuses.
void check_one_of_several(const Problem& problem, Index k) {
  try {
    check_task(problem, problem.task(k));
  } catch (const DataError& error) {
    throw DataError(fmt::format("task {}: {}", k + 1, error.what()));
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("task {}: {}", k + 1, error.what()));
  }
}

}  // namespace

Problem::Problem(const KernelBank& kernels, Loss own_loss, Regularizer own_regularizer,
                 std::vector<SharedTask> own_tasks, Sharing own_sharing, Bias own_bias)
    : bank(kernels),
      loss(std::move(own_loss)),
      regularizer(std::move(own_regularizer)),
      tasks(std::move(own_tasks)),
      sharing(own_sharing),
      bias(own_bias) {}

Problem::Problem(const KernelBank& kernels, Loss own_loss, Regularizer own_regularizer,
                 Vector targets, Vector weights, Bias own_bias)
    : bank(kernels),
      loss(std::move(own_loss)),
      regularizer(std::move(own_regularizer)),
      bias(own_bias) {
  tasks.push_back({std::move(targets), std::move(weights)});
}

std::string sharing_name(Sharing sharing) { return sharing == Sharing::sum ? "sum" : "minimax"; }

Sharing parse_sharing(const std::string& text) {
  for (const Sharing sharing : {Sharing::sum, Sharing::minimax}) {
    if (text == sharing_name(sharing)) return sharing;
  }
  throw ParameterError(fmt::format("sharing must be sum or minimax, got '{}'", text));
}

void validate(const Problem& problem) {
  if (problem.tasks.empty()) {
    throw ParameterError("at least 1 task is needed to share kernel weights, got 0");
  }
  if (problem.size() > 1 && loss_target(problem.loss) == Target::none) {
    throw ParameterError(
        fmt::format("{} has no targets, so there are no tasks to share kernel weights",
                    loss_text(problem.loss)));
  }
  check_regularizer(problem.regularizer, problem.kernels());
  if (problem.size() == 1) return check_task(problem, problem.task(0));
  for (Index k = 0; k < problem.size(); ++k) check_one_of_several(problem, k);
}

DualSet dual_set(const Problem& problem, Index k) {
  return dual_set(problem.loss, problem.bias, problem.task(k).y, problem.task(k).C);
}

Vector on_all_samples(const SharedTask& task, ConstSpan a, Index n) {
  if (task.rows.empty()) return {a.begin(), a.end()};
  Vector all(static_cast<std::size_t>(n), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) all[static_cast<std::size_t>(task.rows[i])] = a[i];
  return all;
}

Vector on_rows(const SharedTask& task, ConstSpan z) {
  if (task.rows.empty()) return {z.begin(), z.end()};
  Vector some;
  for (const Index i : task.rows) some.push_back(z[static_cast<std::size_t>(i)]);
  return some;
}

Matrix panel_of(const Problem& problem, const std::vector<Vector>& a) {
  Matrix panel(problem.size(), problem.samples());
  for (Index k = 0; k < problem.size(); ++k) {
    const Vector row =
        on_all_samples(problem.task(k), a[static_cast<std::size_t>(k)], problem.samples());
    std::ranges::copy(row, panel.row(k).begin());
  }
  return panel;
}

}  // namespace kernmix
