#pragma once
/// \file
/// Gaussian kernels of full rank: each on 8 to 24 columns drawn at random, gamma = 1 / columns of
/// standardised data. What is left where nothing can be saved by factors.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernmix/kernmix.hpp"

namespace kernmix {

struct NamedSources {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
};

/// \param scaled  samples, one a row
[[nodiscard]] inline NamedSources subset_sources(const Matrix& scaled, Index M) {
  std::mt19937 engine(2);
  NamedSources result;
  std::vector<Index> order(static_cast<std::size_t>(scaled.cols));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index m = 0; m < M; ++m) {
    std::shuffle(order.begin(), order.end(), engine);
    const Index width = std::min<Index>(8 + m % 17, scaled.cols);
    auto columns = std::make_shared<Matrix>(scaled.rows, width);
    for (Index i = 0; i < scaled.rows; ++i) {
      for (Index j = 0; j < width; ++j) {
        (*columns)(i, j) = scaled(i, order[static_cast<std::size_t>(j)]);
      }
    }
    const auto function =
        make_kernel_function("rbf", {{"gamma", 1.0 / static_cast<double>(width)}});
    result.sources.push_back(feature_source(function, columns, columns));
    result.names.push_back(fmt::format("K{}", m));
  }
  return result;
}

}  // namespace kernmix
