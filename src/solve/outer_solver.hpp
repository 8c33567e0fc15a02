#pragma once
/// \file
/// The named outer solvers.

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

/// A solver is a header with a struct (its members: solver_row() in solver_table.hpp), its #include
/// above and its line here. `auto` selects the first that supports the problem.
using OuterSolver =
    std::variant<Newton, InteriorPointMkl, SaddleNewton, Alternating, Level, Silp, SimpleMkl, Spg,
                 ProjectedGradient, BlockCoordinate, MirrorDescent, FrankWolfe, MixedNormSound,
                 MixedNormPrinted, Spicy, DualAveraging, PairUpdates>;

}  // namespace kernmix
