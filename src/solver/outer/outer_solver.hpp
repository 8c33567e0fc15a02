#pragma once
/// \file
/// The named outer solvers.

#include <array>
#include <type_traits>
#include <variant>

#include "solver/outer/alternating.hpp"
#include "solver/outer/block_coordinate.hpp"
#include "solver/outer/interior_point.hpp"
#include "solver/outer/level.hpp"
#include "solver/outer/mirror_descent.hpp"
#include "solver/outer/mixed_norm.hpp"
#include "solver/outer/newton.hpp"
#include "solver/outer/projected_gradient.hpp"
#include "solver/outer/saddle_newton.hpp"
#include "solver/outer/silp.hpp"
#include "solver/outer/simple.hpp"
#include "solver/outer/smo_mkl.hpp"
#include "solver/outer/spg.hpp"
#include "solver/outer/spicy.hpp"
#include "solver/outer/ufo.hpp"

namespace kernmix {

/// A solver is a file in this folder that ends with a struct, its #include above and its line here.
/// The struct has a `name`, `takes<R>` and `needs` (which regularizers, and why not the others),
/// where it is choosy also `takes_loss<L>` with `needs_of_loss`, and `needs_bias`; and run(), the
/// main loop. `auto` takes the first that fits.
using OuterSolver =
    std::variant<Newton, InteriorPointMkl, SaddleNewton, Alternating, Level, Silp, SimpleMkl, Spg,
                 ProjectedGradient, BlockCoordinate, MirrorDescent, MixedNormSound,
                 MixedNormPrinted, Spicy, DualAveraging, PairUpdates>;

template <typename... Solver>
constexpr auto each_of(std::type_identity<std::variant<Solver...>> /*list*/) {
  return std::array<OuterSolver, sizeof...(Solver)>{Solver{}...};
}
constexpr auto kOuterSolvers = each_of(std::type_identity<OuterSolver>{});

}  // namespace kernmix
