#include "weights/weight_rules.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "regularizer/any.hpp"

namespace kernmix {
namespace {

[[noreturn]] void lacks_ability() { throw std::logic_error("the regularizer does not have that"); }

}  // namespace

WeightRules::WeightRules(const Regularizer& regularizer)
    : regularizer_(regularizer),
      sparse_(visit([]<typename R>(const R&) { return HasSparseWeights<R>; }, regularizer)),
      polyhedral_(visit([]<typename R>(const R&) { return IsPolyhedral<R>; }, regularizer)),
      linear_(visit([]<typename R>(const R&) { return HasLinearWeights<R>; }, regularizer)) {}

std::optional<double> WeightRules::linear_bound(Index M) const {
  return visit(
      [M]<typename R>(const R& r) -> std::optional<double> {
        if constexpr (HasLinearWeights<R>) return r.upper_bound(M);
        return std::nullopt;
      },
      regularizer_);
}

Vector WeightRules::best_weights(ConstSpan norms) const {
  Vector d(norms.size());
  visit(
      [&]<typename R>(const R& r) {
        if constexpr (HasBestWeights<R>) {
          r.best_weights(norms, d);
        } else {
          lacks_ability();
        }
      },
      regularizer_);
  return d;
}

Vector WeightRules::minimize_quadratic(const WeightModel& model) const {
  return visit(
      [&]<typename R>(const R& r) -> Vector {
        if constexpr (HasModelMinimizer<R>) {
          return r.minimize_quadratic(model);
        } else {
          lacks_ability();
        }
      },
      regularizer_);
}

Index WeightRules::most_in_model(Index M) const {
  constexpr double kCorners = 1000.0;
  if (!sparse_ || !polyhedral_) return M;
  // The number of kernels whose weights, all at their bounds, would hold twice the required mass.
  const double bound = visit(
      [M]<typename R>(const R& r) {
        if constexpr (OnSimplex<R>) return r.upper_bound(M);
        return 1.0;
      },
      regularizer_);
  const double most = std::max(kCorners, std::ceil(2.0 / bound));
  return most < static_cast<double>(M) ? static_cast<Index>(most) : M;
}

}  // namespace kernmix
