#pragma once
/// \file
/// Two overlapping Gaussian classes for sizes that no data set has, and banks of kernels on them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernmix/kernmix.hpp"

namespace kernmix {

/// At least three columns; the classes depend on the first three, each for itself and the first two
/// together.
[[nodiscard]] inline Dataset two_classes(Index n, Index columns) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  Dataset data;
  data.table.values = Matrix(n, std::max<Index>(columns, 3));
  Matrix& X = data.table.values;
  for (Index j = 0; j < X.cols; ++j) {
    for (Index i = 0; i < n; ++i) X(i, j) = normal(engine);
    data.table.columns.push_back(fmt::format("x{}", j + 1));
  }
  for (Index i = 0; i < n; ++i) {
    const double score =
        std::sin(2.0 * X(i, 0)) + X(i, 0) * X(i, 1) + X(i, 2) + 0.5 * normal(engine);
    data.table.labels.push_back(score > 0.0 ? "1" : "-1");
  }
  return data;
}

/// A data set and the expressions of kernels on it, as `train` takes them.
struct Kernels {
  Dataset data;
  std::vector<std::string> expressions;
};

/// Low rank: Gaussians of ten widths on each of M / 10 columns.
[[nodiscard]] inline Kernels on_single_columns(Index n, Index M) {
  Kernels kernels{two_classes(n, M / 10), {"rbf(width=2^-3..2^6) on v, each"}};
  std::vector<std::string> columns = kernels.data.table.columns;
  columns.resize(static_cast<std::size_t>(M / 10));
  kernels.data.views.push_back({"v", columns});
  return kernels;
}

/// Full rank: M Gaussians, each on three to eight of twenty columns, drawn at random.
[[nodiscard]] inline Kernels on_subsets(Index n, Index M) {
  std::mt19937 engine(2);
  Kernels kernels{two_classes(n, 20), {}};
  for (Index m = 0; m < M; ++m) {
    std::vector<std::string> columns = kernels.data.table.columns;
    std::shuffle(columns.begin(), columns.end(), engine);
    columns.resize(static_cast<std::size_t>(3 + m % 6));
    kernels.data.views.push_back({fmt::format("v{}", m), columns});
    kernels.expressions.push_back(fmt::format("rbf(gamma=0.2) on v{}", m));
  }
  return kernels;
}

}  // namespace kernmix
