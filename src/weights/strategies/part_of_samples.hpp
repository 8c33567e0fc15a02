#pragma once
/// \file
/// The problem on a part P of the samples, whose optimal weights are close to those for all
/// samples:
///
///   min_{f, b}  n / |P| sum_{i in P} C_i loss(y_i, f(x_i) + b) + Omega(||f_1||, ..., ||f_M||)
///
/// The scaled sum over P estimates the sum over all samples. Each SVM on P costs |P|^2 / n^2 of an
/// SVM on all samples if the solver stores K(d) as a matrix, and |P| / n if it uses a factor of
/// K(d).

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// The size of the part of n samples from which the first weights are computed. It is n if a part
/// would save little.
/// \param dense  whether most of the bank consists of full matrices
[[nodiscard]] Index size_of_part(Index n, bool dense);

/// Selects `size` samples, in ascending order and spread over all values of y, so that each class
/// has the same proportion as in the full set.
[[nodiscard]] std::vector<Index> part_of_samples(ConstSpan y, Index size);

}  // namespace kernmix
