#pragma once
/// \file
/// The named outer solvers.

#include <array>
#include <type_traits>
#include <variant>

#include "classical/block_coordinate.hpp"
#include "classical/frank_wolfe.hpp"
#include "classical/level.hpp"
#include "classical/mirror_descent.hpp"
#include "classical/projected_gradient.hpp"
#include "classical/silp.hpp"
#include "classical/simple.hpp"
#include "classical/smo_mkl.hpp"
#include "classical/spg.hpp"
#include "classical/spicy.hpp"
#include "classical/ufo.hpp"
#include "weights/alternating.hpp"
#include "weights/interior_point_mkl.hpp"
#include "weights/newton.hpp"
#include "weights/saddle/mixed_norm.hpp"
#include "weights/saddle/saddle_newton.hpp"

namespace kernmix {

/// A solver is a file in this folder that ends with a struct, its #include above and its line here.
/// The struct has a `name`, `takes<R>` and `needs` (which regularizers, and why not the others),
/// where it is choosy also `takes_loss<L>` with `needs_of_loss`, and `needs_bias`; and run(), the
/// main loop. `auto` takes the first that fits.
using OuterSolver =
    std::variant<Newton, InteriorPointMkl, SaddleNewton, Alternating, Level, Silp, SimpleMkl, Spg,
                 ProjectedGradient, BlockCoordinate, MirrorDescent, FrankWolfe, MixedNormSound,
                 MixedNormPrinted, Spicy, DualAveraging, PairUpdates>;

template <typename... Solver>
constexpr auto each_of(std::type_identity<std::variant<Solver...>> /*list*/) {
  return std::array<OuterSolver, sizeof...(Solver)>{Solver{}...};
}
constexpr auto kOuterSolvers = each_of(std::type_identity<OuterSolver>{});

}  // namespace kernmix
