#include "kernmix/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors_at.hpp"
#include "base/names.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// \param whose "its" for one of several tasks, otherwise "the"
void check_rows(const Task& task, Index n, const char* whose) {
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
          fmt::format("rows must be ascending and in 0 .. {}, entry {} is {}", n - 1, i + 1, row));
    }
  }
}

void check_classes(const Task& task) {
  if (std::ranges::adjacent_find(task.y, std::not_equal_to<>()) != task.y.end()) return;
  throw DataError(fmt::format("all its samples are in one class, {:+}", task.y.front()));
}

void check_task(const Problem& problem, const Task& task) {
  const bool alone = problem.size() == 1 && problem.coupling == Coupling::separate;
  check_rows(task, problem.samples(), alone ? "the" : "its");
  check_loss(problem.loss, problem.bias, task.y, task.C);
  if (!alone && loss_target(problem.loss) == Target::classes) check_classes(task);
}

constexpr Named<Coupling> coupling_names[] = {
    {Coupling::separate, "separate"}, {Coupling::sum, "sum"}, {Coupling::minimax, "minimax"}};

}  // namespace

Problem::Problem(const KernelBank& kernels, Loss own_loss, Regularizer own_regularizer,
                 std::vector<Task> own_tasks, Coupling own_coupling, Bias own_bias)
    : bank(kernels),
      loss(std::move(own_loss)),
      regularizer(std::move(own_regularizer)),
      tasks(std::move(own_tasks)),
      coupling(own_coupling),
      bias(own_bias) {}

Problem::Problem(const KernelBank& kernels, Loss own_loss, Regularizer own_regularizer,
                 Vector targets, Vector weights, Bias own_bias)
    : bank(kernels),
      loss(std::move(own_loss)),
      regularizer(std::move(own_regularizer)),
      bias(own_bias) {
  tasks.push_back({std::move(targets), std::move(weights)});
}

std::string coupling_name(Coupling coupling) { return name_in(coupling_names, coupling); }

Coupling parse_coupling(const std::string& text) {
  const auto coupling = find_in(coupling_names, text);
  if (coupling && coupling != Coupling::separate) return *coupling;
  throw ParameterError(fmt::format("sharing must be sum or minimax, got '{}'", text));
}

void validate(const Problem& problem) {
  if (!problem.diagonals.empty() && length(problem.diagonals) != problem.kernels()) {
    throw ParameterError(fmt::format("diagonals must have one entry for each of {} kernels, got {}",
                                     problem.kernels(), problem.diagonals.size()));
  }
  if (problem.tasks.empty()) {
    throw ParameterError("at least 1 task is needed, got 0");
  }
  check_regularizer(problem.regularizer, problem.kernels());
  const bool one = problem.size() == 1;
  const bool separate = problem.coupling == Coupling::separate;
  if (joins_classes(problem.loss) && !(one && separate)) {
    throw ParameterError("classes trained together are a problem of one task");
  }
  if (one && separate) return check_task(problem, problem.task(0));
  if (!separate && loss_target(problem.loss) == Target::none) {
    throw ParameterError(
        fmt::format("{} has no targets, so there are no tasks to share kernel weights",
                    loss_text(problem.loss)));
  }
  for (Index k = 0; k < problem.size(); ++k) {
    errors_at(fmt::format("task {}", k + 1), [&] { check_task(problem, problem.task(k)); });
  }
}

DualSet dual_set(const Problem& problem, Index k) {
  return dual_set(problem.loss, problem.bias, problem.task(k).y, problem.task(k).C);
}

Vector on_all_samples(const Task& task, ConstSpan a, Index n) {
  if (task.rows.empty()) return {a.begin(), a.end()};
  Vector all(static_cast<std::size_t>(n), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) all[static_cast<std::size_t>(task.rows[i])] = a[i];
  return all;
}

bool has_separate_weights(const Problem& problem) {
  return problem.coupling == Coupling::separate && problem.size() > 1;
}

Problem alone(const Problem& problem, Index k) {
  Problem own(problem.bank, problem.loss, problem.regularizer, {problem.task(k)},
              Coupling::separate, problem.bias);
  own.diagonals = problem.diagonals;
  return own;
}

ConstSpan weights_of(const Problem& problem, ConstSpan d, Index k) {
  const std::size_t M = to_size(problem.kernels());
  return has_separate_weights(problem) ? d.subspan(to_size(k) * M, M) : d;
}

Vector on_rows(const Task& task, ConstSpan z) {
  if (task.rows.empty()) return {z.begin(), z.end()};
  return entries_at(z, task.rows);
}

Matrix panel_of(const Problem& problem, const std::vector<Vector>& a) {
  const Index K = problem.functions();
  Matrix panel(problem.size() * K, problem.samples());
  for (Index k = 0; k < problem.size(); ++k) {
    const Task& task = problem.task(k);
    const Vector& own = a[static_cast<std::size_t>(k)];
    for (Index e = 0; e < length(own); ++e) {
      panel(k * K + e % K, sample_of(task, to_size(e / K))) = own[static_cast<std::size_t>(e)];
    }
  }
  return panel;
}

std::vector<Vector> from_panel(const Problem& problem, const Matrix& panel) {
  const Index K = problem.functions();
  std::vector<Vector> vectors;
  for (Index k = 0; k < problem.size(); ++k) {
    const Task& task = problem.task(k);
    Vector& own = vectors.emplace_back(static_cast<std::size_t>(K) * task.y.size());
    for (Index e = 0; e < length(own); ++e) {
      own[static_cast<std::size_t>(e)] = panel(k * K + e % K, sample_of(task, to_size(e / K)));
    }
  }
  return vectors;
}

std::vector<Vector> by_functions(const Problem& problem, const std::vector<Vector>& of_tasks) {
  const auto K = to_size(problem.functions());
  std::vector<Vector> vectors(of_tasks.size() * K);
  for (std::size_t k = 0; k < of_tasks.size(); ++k) {
    for (std::size_t e = 0; e < of_tasks[k].size(); ++e) {
      vectors[k * K + e % K].push_back(of_tasks[k][e]);
    }
  }
  return vectors;
}

std::vector<Vector> by_tasks(const Problem& problem, const std::vector<Vector>& of_functions) {
  const auto K = to_size(problem.functions());
  std::vector<Vector> vectors(of_functions.size() / K);
  for (std::size_t row = 0; row < of_functions.size(); ++row) {
    Vector& own = vectors[row / K];
    own.resize(K * of_functions[row].size());
    for (std::size_t i = 0; i < of_functions[row].size(); ++i) {
      own[i * K + row % K] = of_functions[row][i];
    }
  }
  return vectors;
}

std::vector<Vector> task_sums(const Problem& problem, const Matrix& Q) {
  const Index K = problem.functions();
  std::vector<Vector> sums(problem.tasks.size(), Vector(static_cast<std::size_t>(Q.cols), 0.0));
  for (Index row = 0; row < Q.rows; ++row) {
    Vector& own = sums[to_size(row / K)];
    for (std::size_t m = 0; m < own.size(); ++m) own[m] += Q.row(row)[m];
  }
  return sums;
}

}  // namespace kernmix
