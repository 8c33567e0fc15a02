#include "regularizer/points/sum.hpp"

#include <numeric>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {

std::vector<RegularizerInfo> Sum::rows() { return {{"sum", "d = 1", "1/2 sum s^2", "sum"}}; }

Regularizer Sum::parse(const std::string& text) {
  expect_no_arguments(text);
  return Sum{};
}

void Sum::check(Index M) const { require_kernels(M); }

Vector Sum::initial_weights(Index M) const { return Vector(static_cast<std::size_t>(M), 1.0); }

double Sum::omega(ConstSpan s) const { return 0.5 * sum_of_squares(s); }

double Sum::conjugate(ConstSpan q) const { return 0.5 * std::accumulate(q.begin(), q.end(), 0.0); }

}  // namespace kernmix
