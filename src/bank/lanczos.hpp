#pragma once
/// \file
/// The ends of the spectrum of a symmetric matrix that is given by its products.

#include <functional>

#include "kernmix/types.hpp"

namespace kernmix {

struct SpectrumEnds {
  double smallest;  ///< at least the smallest eigenvalue
  double largest;   ///< at most the largest one
};

/// Lanczos' method of k = `steps` products from a random vector, the same one every time, with all
/// vectors kept orthogonal: both ends are v'K v for unit vectors v, and miss the eigenvalues by
/// more than e (lambda_n - lambda_1) with a probability of at most 1.648 sqrt(n) exp(-sqrt(e) (2k -
/// 1)) (Kuczynski and Wozniakowski, SIAM J. Matrix Anal. Appl. 13, 1992, theorem 4.2). \param
/// product  writes K x, both of length n
[[nodiscard]] SpectrumEnds lanczos(Index n, Index steps,
                                   const std::function<void(ConstSpan x, MutableSpan Kx)>& product);

}  // namespace kernmix
