#include "kernmix/shared_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

void check_rows(const SharedTask& task, Index n) {
  const Index samples = task.rows.empty() ? n : length(task.rows);
  if (length(task.y) != samples || length(task.C) != samples) {
    throw ParameterError(
        fmt::format("y and C must have one entry for each of its {} samples, got {} and {}",
                    samples, task.y.size(), task.C.size()));
  }
  if (samples < 2) throw DataError(fmt::format("at least 2 samples are needed, got {}", samples));
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

void check_task(const SharedProblem& problem, const SharedTask& task) {
  check_rows(task, problem.samples());
  check_loss(problem.loss, problem.bias, task.y, task.C);
  if (loss_target(problem.loss) == Target::classes) check_classes(task);
}

}  // namespace

std::string sharing_name(Sharing sharing) { return sharing == Sharing::sum ? "sum" : "minimax"; }

Sharing parse_sharing(const std::string& text) {
  for (const Sharing sharing : {Sharing::sum, Sharing::minimax}) {
    if (text == sharing_name(sharing)) return sharing;
  }
  throw ParameterError(fmt::format("sharing must be sum or minimax, got '{}'", text));
}

void validate(const SharedProblem& problem) {
  if (problem.tasks.empty()) {
    throw ParameterError("at least 1 task is needed to share kernel weights, got 0");
  }
  if (loss_target(problem.loss) == Target::none) {
    throw ParameterError(
        fmt::format("{} has no targets, so there are no tasks to share kernel weights",
                    loss_text(problem.loss)));
  }
  check_regularizer(problem.regularizer, problem.kernels());
  for (Index k = 0; k < problem.size(); ++k) {
    try {
      check_task(problem, problem.task(k));
    } catch (const DataError& error) {
      throw DataError(fmt::format("task {}: {}", k + 1, error.what()));
    } catch (const ParameterError& error) {
      throw ParameterError(fmt::format("task {}: {}", k + 1, error.what()));
    }
  }
}

DualSet dual_set(const SharedProblem& problem, Index k) {
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

Matrix panel_of(const SharedProblem& problem, const std::vector<Vector>& a) {
  Matrix panel(problem.size(), problem.samples());
  for (Index k = 0; k < problem.size(); ++k) {
    const Vector row =
        on_all_samples(problem.task(k), a[static_cast<std::size_t>(k)], problem.samples());
    std::ranges::copy(row, panel.row(k).begin());
  }
  return panel;
}

}  // namespace kernmix
