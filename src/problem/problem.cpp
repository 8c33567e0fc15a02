#include "kernmix/problem.hpp"

#include <fmt/format.h>

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
  check_loss(problem.loss, problem.bias, problem.y, problem.C);
  check_regularizer(problem.regularizer, problem.kernels());
}

}  // namespace kernmix
