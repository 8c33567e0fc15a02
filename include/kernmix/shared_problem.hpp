#pragma once
/// \file
/// Another name of Problem, until all say Problem.

#include "kernmix/problem.hpp"

namespace kernmix {
using SharedProblem = Problem;
}  // namespace kernmix
