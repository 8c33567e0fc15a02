#pragma once
/// \file
/// Optimal values of tiny shared problems by brute force: nothing in common with the library.
///
///   squared  J_k(d) = 1/2 y' (K(d) + I / C)^{-1} y
///   hinge    J_k(d) = max_{0 <= alpha <= C} sum alpha - 1/2 a' K(d) a,  by coordinate ascent
///
/// both without a bias; the weights on a segment (two kernels) by golden section, J being convex.

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernmix/problem.hpp"
#include "line_minimum.hpp"

namespace kernmix::testing {

using TaskValue = std::function<double(const Matrix& K, const Task& task)>;

/// By Gaussian elimination.
[[nodiscard]] inline double squared_value(const Matrix& K, const Task& task) {
  const Index n = K.rows;
  Matrix S = K;
  Vector x = task.y;
  for (Index i = 0; i < n; ++i) S(i, i) += 1.0 / task.C[static_cast<std::size_t>(i)];
  const auto at = [](Vector& v, Index i) -> double& { return v[static_cast<std::size_t>(i)]; };
  for (Index p = 0; p < n; ++p) {
    for (Index i = p + 1; i < n; ++i) {
      const double factor = S(i, p) / S(p, p);
      for (Index j = p; j < n; ++j) S(i, j) -= factor * S(p, j);
      at(x, i) -= factor * at(x, p);
    }
  }
  double value = 0.0;
  for (Index i = n; i-- > 0;) {
    for (Index j = i + 1; j < n; ++j) at(x, i) -= S(i, j) * at(x, j);
    at(x, i) /= S(i, i);
    value += 0.5 * at(x, i) * task.y[static_cast<std::size_t>(i)];
  }
  return value;
}

[[nodiscard]] inline double hinge_value(const Matrix& K, const Task& task) {
  const Index n = K.rows;
  Vector a(task.y.size(), 0.0);
  Vector z(a.size(), 0.0);
  double largest_change = 1.0;
  for (int sweep = 0; sweep < 3000 && largest_change > 1e-14; ++sweep) {
    largest_change = 0.0;
    for (Index i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double y = task.y[row];
      const double alpha = std::clamp(a[row] * y + (1.0 - y * z[row]) / K(i, i), 0.0, task.C[row]);
      const double change = alpha * y - a[row];
      largest_change = std::max(largest_change, std::abs(change));
      a[row] += change;
      for (Index j = 0; j < n; ++j) z[static_cast<std::size_t>(j)] += change * K(j, i);
    }
  }
  double value = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) value += a[i] * task.y[i] - 0.5 * a[i] * z[i];
  return value;
}

/// min over d = (t, 1 - t) of the sum or the largest of the tasks' values.
[[nodiscard]] inline double naive_shared_optimum(const Matrix& first, const Matrix& second,
                                                 const std::vector<Task>& tasks, Coupling sharing,
                                                 const TaskValue& value) {
  const auto at = [&](double t) {
    Matrix K = first;
    for (std::size_t e = 0; e < K.values.size(); ++e) {
      K.values[e] = t * first.values[e] + (1.0 - t) * second.values[e];
    }
    double combined = 0.0;
    for (const Task& task : tasks) {
      const double own = value(K, task);
      combined = sharing == Coupling::sum ? combined + own : std::max(combined, own);
    }
    return combined;
  };
  return line_minimum(at, 0.0, 1.0, 50);
}

}  // namespace kernmix::testing
