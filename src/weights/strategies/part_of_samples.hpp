#pragma once
/// \file
/// The problem on a part P of its samples, whose weights are close to those of all:
///
///   min_{f, b}  n / |P| sum_{i in P} C_i loss(y_i, f(x_i) + b) + Omega(||f_1||, ..., ||f_M||)
///
/// The sum over P, scaled, estimates the one over all samples. Each SVM on P costs |P|^2 / n^2 of
/// one on all where it has K(d) as a matrix, |P| / n where it has a factor of it.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// The part of n samples that weights come from first; n where that would gain little.
/// \param dense  most of the bank is whole matrices
[[nodiscard]] Index size_of_part(Index n, bool dense);

/// `size` samples, ascending, spread over all values of y: as large a share of each class as of the
/// other.
[[nodiscard]] std::vector<Index> part_of_samples(ConstSpan y, Index size);

}  // namespace kernmix
