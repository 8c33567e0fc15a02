#include "regularizer/points/average.hpp"

#include <numeric>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {

std::vector<RegularizerInfo> Average::rows() {
  return {{"average", "d = 1/M", "M/2 sum s^2", "average"}};
}

Regularizer Average::parse(const std::string& text) {
  expect_no_arguments(text);
  return Average{};
}

void Average::check(Index M) const { require_kernels(M); }

Vector Average::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), 1.0 / static_cast<double>(M));
}

double Average::omega(ConstSpan s) const {
  return 0.5 * static_cast<double>(s.size()) * sum_of_squares(s);
}

double Average::conjugate(ConstSpan q) const {
  return 0.5 * std::accumulate(q.begin(), q.end(), 0.0) / static_cast<double>(q.size());
}

}  // namespace kernmix
