#include "kernmix/classical/weight_penalty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/arguments.hpp"
#include "base/cholesky.hpp"
#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

void LinearPenalty::check(Index /*M*/) const {
  if (!(lambda > 0.0) || !std::isfinite(lambda)) {
    throw ParameterError(fmt::format("lambda must be > 0 and finite, got {}", lambda));
  }
}

double LinearPenalty::value(ConstSpan d) const {
  return lambda * std::accumulate(d.begin(), d.end(), 0.0);
}

void LinearPenalty::slope(ConstSpan /*d*/, MutableSpan out) const {
  std::ranges::fill(out, lambda);
}

void QuadraticPenalty::check(Index M) const {
  if (length(mu) != M || precision.rows != M || precision.cols != M) {
    throw ParameterError(
        fmt::format("mu must have {} entries and the precision {} x {}, got {} and {} x {}", M, M,
                    M, mu.size(), precision.rows, precision.cols));
  }
  const auto A = as_matrix(precision);
  const bool definite =
      A.allFinite() && A.isApprox(A.transpose(), 1e-12) && Cholesky::of(A).has_value();
  if (!definite || !as_vector(mu).allFinite()) {
    throw ParameterError("mu must be finite, the precision symmetric and positive definite");
  }
}

double QuadraticPenalty::value(ConstSpan d) const {
  const Eigen::VectorXd step = as_vector(d) - as_vector(mu);
  return 0.5 * step.dot(as_matrix(precision) * step);
}

void QuadraticPenalty::slope(ConstSpan d, MutableSpan out) const {
  as_vector(out) = as_matrix(precision) * (as_vector(d) - as_vector(mu));
}

std::string PenaltyRule::text() const {
  return fmt::format("{}:lambda={}", quadratic ? "quadratic" : "linear", lambda);
}

WeightPenalty PenaltyRule::of(Index M) const {
  if (!quadratic) return LinearPenalty{lambda};
  QuadraticPenalty penalty{Vector(static_cast<std::size_t>(M), 0.0), Matrix(M, M)};
  for (Index m = 0; m < M; ++m) penalty.precision(m, m) = lambda;
  return penalty;
}

PenaltyRule parse_penalty_rule(const std::string& text) {
  const std::vector<std::string> names = {"linear", "quadratic"};
  const std::string name = name_of(text);
  if (std::ranges::find(names, name) == names.end()) {
    throw ParameterError(
        fmt::format("a weight penalty must be linear:lambda=L or quadratic:lambda=L, got {}{}",
                    in_quotes(text), did_you_mean(name, names)));
  }
  const Arguments arguments(text, {"lambda"}, {});
  return {name == "quadratic", arguments.has("lambda") ? arguments.positive("lambda") : 1.0};
}

}  // namespace kernmix
