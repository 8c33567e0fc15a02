#pragma once
/// \file
/// The named solvers of tasks with shared weights, in the order in which `auto` tries them.

#include <array>
#include <variant>

#include "classical/lazy_bundle.hpp"
#include "classical/stochastic_approximation.hpp"
#include "weights/tasks/shared_newton.hpp"

namespace kernmix {

/// A solver is a file in this folder that ends with a struct, its #include above and its name here:
/// `name`, `takes(Sharing)`, `takes_weights<R>` and `needs` (why not others), and run().
using SharedSolver = std::variant<SharedNewton, LazyBundle, StochasticApproximation>;

template <typename... Solver>
constexpr auto each_shared(const std::variant<Solver...>* /*list*/) {
  return std::array<SharedSolver, sizeof...(Solver)>{Solver{}...};
}
constexpr auto kSharedSolvers = each_shared(static_cast<const SharedSolver*>(nullptr));

}  // namespace kernmix
