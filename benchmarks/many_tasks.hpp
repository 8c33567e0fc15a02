#pragma once
/// \file
/// Random problems of many tasks on the same samples and kernels, from a seed: few hard tasks among
/// easy ones, or all about equally hard.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernmix/bank/build.hpp"
#include "kernmix/kernmix.hpp"

namespace kernmix {

enum class Hardness {
  few,  ///< 5 % of the tasks (at least one) with many wrong labels, all others with few
  all   ///< the same share of wrong labels in every task
};

/// Tasks with the bank that they borrow.
struct ManyTasks {
  std::unique_ptr<KernelBank> bank;
  std::vector<Task> tasks;
};

/// M Gaussian kernels, each on two of 2 M normal columns of its own.
[[nodiscard]] inline std::unique_ptr<KernelBank> kernels_on_pairs(const Matrix& X) {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  for (Index m = 0; 2 * m < X.cols; ++m) {
    const auto pair = std::make_shared<Matrix>(X.rows, 2);
    for (Index i = 0; i < X.rows; ++i) {
      (*pair)(i, 0) = X(i, 2 * m);
      (*pair)(i, 1) = X(i, 2 * m + 1);
    }
    sources.push_back(feature_source(make_kernel_function("rbf", {{"gamma", 0.5}}), pair, pair));
    names.push_back(fmt::format("K{}", m));
  }
  return build_bank(sources, names, {}, Context{});
}

/// The share of wrong labels of task k.
[[nodiscard]] inline double wrong_labels(Hardness hardness, Index k, Index T) {
  if (hardness == Hardness::all) return 0.2;
  return k < std::max<Index>(1, T / 20) ? 0.3 : 0.02;
}

/// T tasks on n samples with C = 1. The class of a sample depends on the columns of two kernels
/// that are drawn for each task.
[[nodiscard]] inline ManyTasks many_tasks(Hardness hardness, Index T, Index n, Index M,
                                          unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Matrix X(n, 2 * M);
  for (double& value : X.values) value = normal(engine);
  ManyTasks problem{kernels_on_pairs(X), {}};
  std::uniform_int_distribution<Index> any_kernel(0, M - 1);
  for (Index k = 0; k < T; ++k) {
    const Index first = 2 * any_kernel(engine);
    const Index second = 2 * any_kernel(engine);
    const double wrong = wrong_labels(hardness, k, T);
    Task task{Vector(static_cast<std::size_t>(n)), Vector(static_cast<std::size_t>(n), 1.0), {}};
    for (Index i = 0; i < n; ++i) {
      const double score =
          std::sin(2.0 * X(i, first)) + X(i, first + 1) + X(i, second) * X(i, second + 1);
      const double sign = uniform(engine) < wrong ? -1.0 : 1.0;
      task.y[static_cast<std::size_t>(i)] = score > 0.0 ? sign : -sign;
    }
    problem.tasks.push_back(std::move(task));
  }
  return problem;
}

}  // namespace kernmix
