#pragma once
/// \file
/// Pivoted incomplete Cholesky factorisation of a kernel that is known by its entries.

#include <optional>

#include "kernmix/context.hpp"
#include "kernmix/kernel/source.hpp"

namespace kernmix {

/// K ~ Z Z' on the samples `index`, from the diagonal and `rank` columns of K only.
struct Factorization {
  enum class Outcome {
    complete,    ///< the residual is within the tolerance, or at the level of rounding
    too_long,    ///< more than the allowed rank would be needed
    not_finite,  ///< an entry of K is not finite: (row, col)
    indefinite   ///< the residual has a clearly negative diagonal: (row, row)
  };
  Outcome outcome = Outcome::complete;
  Matrix Z;                ///< |index| x rank, only when complete
  Index rank = 0;          ///< columns found so far
  Index row = 0, col = 0;  ///< the sample numbers of the offending entry
};

/// Harbrecht, Peters and Schneider (2012): greedy pivots, stop at
///   trace(K - Z Z') <= tolerance * trace(K)   or   max diag(K - Z Z') <= n eps max diag(K).
/// Below the second bound the residual is rounding noise, and its columns would be too.
[[nodiscard]] Factorization incomplete_cholesky(const KernelSource& source,
                                                std::span<const Index> index, double tolerance,
                                                Index most_rank, const Context& context);

/// 0, 1, ..., n-1
[[nodiscard]] std::vector<Index> all_samples(Index n);
/// At most `count` evenly spaced of 0 .. n-1.
[[nodiscard]] std::vector<Index> spaced_samples(Index n, Index count);

}  // namespace kernmix
