#include "weights/weight_rules.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace kernmix {
namespace {

template <typename Ask>
auto ask(const Regularizer& regularizer, const Ask& question) {
  return std::visit(question, static_cast<const AnyRegularizer&>(regularizer));
}

[[noreturn]] void lacks_ability() { throw std::logic_error("the regularizer does not have that"); }

}  // namespace

WeightRules::WeightRules(const Regularizer& regularizer)
    : regularizer_(regularizer),
      sparse_(ask(regularizer, []<typename R>(const R&) { return HasSparseWeights<R>; })),
      polyhedral_(ask(regularizer, []<typename R>(const R&) { return IsPolyhedral<R>; })),
      linear_bound_(ask(regularizer, []<typename R>(const R& r) -> std::optional<double> {
        if constexpr (HasLinearWeights<R>) return r.upper_bound();
        return std::nullopt;
      })) {}

Vector WeightRules::initial_weights(Index M) const {
  return kernmix::initial_weights(regularizer_, M);
}

double WeightRules::penalty(ConstSpan d) const {
  return ask(regularizer_, [&](const auto& r) { return r.penalty(d); });
}

double WeightRules::conjugate(ConstSpan q) const {
  return ask(regularizer_, [&](const auto& r) { return r.conjugate(q); });
}

Vector WeightRules::best_weights(ConstSpan norms) const {
  Vector d(norms.size());
  ask(regularizer_, [&]<typename R>(const R& r) {
    if constexpr (HasBestWeights<R>) {
      r.best_weights(norms, d);
    } else {
      lacks_ability();
    }
  });
  return d;
}

Vector WeightRules::minimize_quadratic(const WeightModel& model) const {
  return ask(regularizer_, [&]<typename R>(const R& r) -> Vector {
    if constexpr (HasModelMinimizer<R>) {
      return r.minimize_quadratic(model);
    } else {
      lacks_ability();
    }
  });
}

Index WeightRules::most_in_model(Index M) const {
  constexpr double kCorners = 1000.0;
  if (!sparse_ || !polyhedral_) return M;
  // As many as hold twice the mass, should each be at its bound.
  const double bound = ask(regularizer_, []<typename R>(const R& r) {
    if constexpr (OnSimplex<R>) return r.upper_bound();
    return 1.0;
  });
  const double most = std::max(kCorners, std::ceil(2.0 / bound));
  return most < static_cast<double>(M) ? static_cast<Index>(most) : M;
}

}  // namespace kernmix
