#pragma once
/// \file
/// Counts of right and wrong predictions.

#include "kernmix/metrics.hpp"

namespace kernmix {

/// Sums of squared weights; equal to the counts for weights of 1.
[[nodiscard]] inline Confusion::Squares squares_of(const Confusion& counts) {
  return counts.squares.value_or(Confusion::Squares{counts.true_positive, counts.false_positive,
                                                    counts.true_negative, counts.false_negative});
}

/// Counts one sample.
inline void count_outcome(bool is_positive, bool called_positive, double weight,
                          Confusion& counts) {
  if (!counts.squares) counts.squares = Confusion::Squares{0.0, 0.0, 0.0, 0.0};
  Confusion::Squares& squares = *counts.squares;
  const double square = weight * weight;
  if (is_positive) {
    (called_positive ? counts.true_positive : counts.false_negative) += weight;
    (called_positive ? squares.true_positive : squares.false_negative) += square;
  } else {
    (called_positive ? counts.false_positive : counts.true_negative) += weight;
    (called_positive ? squares.false_positive : squares.true_negative) += square;
  }
}

}  // namespace kernmix
