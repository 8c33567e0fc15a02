#include "kernmix/problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernmix/error.hpp"

namespace kernmix {

void validate(const Problem& problem) {
  const Index n = problem.samples();
  if (n < 2) throw DataError(fmt::format("at least 2 samples are needed, got {}", n));
  if (length(problem.y) != n || length(problem.C) != n) {
    throw ParameterError(
        fmt::format("y and C must have one entry for each of the {} samples, got {} and {}", n,
                    problem.y.size(), problem.C.size()));
  }
  for (std::size_t i = 0; i < problem.y.size(); ++i) {
    if (std::abs(problem.y[i]) != 1.0) {
      throw DataError(
          fmt::format("labels must be +1 or -1, sample {} has {}", i + 1, problem.y[i]));
    }
    if (!(problem.C[i] > 0.0) || !std::isfinite(problem.C[i])) {
      throw ParameterError(
          fmt::format("C must be > 0 and finite, sample {} has {}", i + 1, problem.C[i]));
    }
  }
  std::visit([&](const auto& regularizer) { regularizer.check(problem.kernels()); },
             problem.regularizer);
}

}  // namespace kernmix
