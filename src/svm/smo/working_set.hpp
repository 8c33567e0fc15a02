#pragma once
/// \file
/// The two passes of an SMO iteration, vectorised for the processor at run time.
///
/// With the gradient G = K a - linear, a pair (i, j) violates optimality by G_j - G_i > 0 where a_i
/// may rise (a_i < upper_i) and a_j may fall (a_j > lower_j).

#include "kernmix/types.hpp"

namespace kernmix::smo {

/// Working arrays of the active variables, all of length n. A penalty is 0 where the move is
/// allowed and infinite where a bound forbids it, so that no pass needs a branch.
struct PassArrays {
  Index n = 0;
  double* gradient = nullptr;
  const float* rise_penalty = nullptr;  ///< 0 or +infinity
  const float* fall_penalty = nullptr;  ///< 0 or -infinity
  const float* diagonal = nullptr;      ///< K_jj
};

/// A variable and its gradient; index -1 without a candidate.
struct Candidate {
  Index index = -1;
  double gradient = 0.0;
};

struct Partner {
  Index index = -1;        ///< -1 if no pair violates optimality
  double violation = 0.0;  ///< max_j G_j - G_i over all variables that may decrease
  float gain = 0.0F;       ///< twice the predicted decrease of the objective
};

/// argmin of G over the variables that may increase; the lowest index of ties.
[[nodiscard]] Candidate select_riser(const PassArrays& arrays);

/// argmax_j (G_j - G_i)^2 / (K_ii + K_jj - 2 K_ij) over the variables that may fall with G_j > G_i
/// (Fan, Chen and Lin 2005, WSS 2).
/// \param row row i of K
[[nodiscard]] Partner select_faller(const PassArrays& arrays, Candidate riser, const float* row);

/// G += step (row_i - row_j), and select_riser for the new G in the same pass.
[[nodiscard]] Candidate move_and_select_riser(const PassArrays& arrays, double step,
                                              const float* row_i, const float* row_j);

/// target += scale row, over n entries.
void add_row(double scale, const float* row, double* target, Index n);

/// The curvature K_ii + K_jj - 2 K_ij below which a pair counts as flat: the resolution of single
/// precision entries, or 1e-30 for a kernel of zeros.
[[nodiscard]] inline double least_curvature(double K_ii, double K_jj) {
  constexpr double float_resolution = 0x1p-24;
  return float_resolution * (K_ii + K_jj) + 1e-30;
}

}  // namespace kernmix::smo
