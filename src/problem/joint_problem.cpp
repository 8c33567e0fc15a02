#include "kernmix/joint_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/shape.hpp"
#include "kernmix/error.hpp"
#include "loss/class_balance.hpp"
#include "loss/crammer_singer.hpp"

namespace kernmix {
namespace {

void check_joint_lengths(const JointProblem& problem) {
  const Index n = problem.samples();
  if (n < 2) throw DataError(fmt::format("at least 2 samples are needed, got {}", n));
  if (problem.classes < 2) {
    throw ParameterError(fmt::format("at least 2 classes are needed, got {}", problem.classes));
  }
  if (length(problem.y) != n || length(problem.C) != n) {
    throw ParameterError(
        fmt::format("y and C must have one entry for each of the {} samples, got {} and {}", n,
                    problem.y.size(), problem.C.size()));
  }
}

void check_joint_classes(const JointProblem& problem) {
  std::vector<bool> occurs(static_cast<std::size_t>(problem.classes), false);
  for (std::size_t i = 0; i < problem.y.size(); ++i) {
    const Index label = problem.y[i];
    if (label < 0 || label >= problem.classes) {
      throw DataError(fmt::format("classes must lie in 0 .. {}, sample {} has {}",
                                  problem.classes - 1, i + 1, label));
    }
    occurs[static_cast<std::size_t>(label)] = true;
    check_weight(problem.C[i], static_cast<Index>(i));
  }
  const auto missing = std::ranges::find(occurs, false);
  if (missing == occurs.end()) return;
  throw DataError(fmt::format("class {} has no sample: number the classes that occur 0 .. {}",
                              missing - occurs.begin(), std::ranges::count(occurs, true) - 1));
}

/// Row i of A, which is in its set but for rounding, moved into it.
void settle_row(MutableSpan a, Index y, double C, Index sample) {
  const auto label = static_cast<std::size_t>(y);
  double sum = 0.0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    sum += a[u];
    const double above = u == label ? a[u] - C : a[u];
    if (!(above <= 1e-9 * C) || !std::isfinite(a[u])) {
      throw ParameterError(fmt::format(
          "the dual matrix A leaves its set: row {}, column {} is {}, and must be at most {}",
          sample + 1, u + 1, a[u], u == label ? C : 0.0));
    }
  }
  if (!(std::abs(sum) <= 1e-9 * C * static_cast<double>(a.size()))) {
    throw ParameterError(fmt::format("every row of the dual matrix A must sum to 0, row {} has {}",
                                     sample + 1, sum));
  }
  clip_to_dual(a, y, C);
}

}  // namespace

void check_joint_bias(Bias bias) {
  if (bias != Bias::penalised) return;
  throw ParameterError(
      "classes trained together have free biases or none; add a constant kernel to penalise them");
}

void validate(const JointProblem& problem) {
  check_joint_lengths(problem);
  check_joint_classes(problem);
  check_joint_bias(problem.bias);
  check_regularizer(problem.regularizer, problem.kernels());
}

double joint_gain(const JointProblem& problem, const Matrix& A) {
  double gain = 0.0;
  for (Index i = 0; i < A.rows; ++i) gain += A(i, problem.y[static_cast<std::size_t>(i)]);
  return gain;
}

Matrix feasible_joint_dual(const JointProblem& problem, Matrix A) {
  if (A.rows != problem.samples() || A.cols != problem.classes) {
    throw ParameterError(fmt::format("the dual matrix A must be {} x {}, got {} x {}",
                                     problem.samples(), problem.classes, A.rows, A.cols));
  }
  require_shape("the dual matrix A", A);
  for (Index i = 0; i < A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    settle_row(A.row(i), problem.y[at], problem.C[at], i);
  }
  if (problem.bias == Bias::free) balance_classes(A, problem.y);
  return A;
}

Matrix transposed(const Matrix& A) {
  Matrix result(A.cols, A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index u = 0; u < A.cols; ++u) result(u, i) = A(i, u);
  }
  return result;
}

Matrix from_columns(const std::vector<Vector>& columns) {
  if (columns.empty()) return {};
  Matrix A(length(columns.front()), length(columns));
  for (Index u = 0; u < A.cols; ++u) {
    for (Index i = 0; i < A.rows; ++i) {
      A(i, u) = columns[static_cast<std::size_t>(u)][static_cast<std::size_t>(i)];
    }
  }
  return A;
}

std::vector<Vector> columns_of(const Matrix& A) {
  std::vector<Vector> columns;
  for (Index u = 0; u < A.cols; ++u) {
    Vector& column = columns.emplace_back();
    for (Index i = 0; i < A.rows; ++i) column.push_back(A(i, u));
  }
  return columns;
}

}  // namespace kernmix
