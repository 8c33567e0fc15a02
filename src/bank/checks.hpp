#pragma once
/// \file
/// Of the checks of kernels, what the construction of a bank takes part in.

#include <string>

#include "kernmix/bank/checks.hpp"

namespace kernmix {

/// Throws the DataError of an entry that is not finite.
[[noreturn]] void refuse_entry(const std::string& name, Index row, Index col, double value);

/// What an entry and its mirror image have shown so far.
struct Symmetry {
  double difference = 0.0;  ///< max |K_ij - K_ji|
  double largest = 0.0;     ///< max |K_ij|
  double sum = 0.0;         ///< of all |K_ij - K_ji|: finite where all entries are

  void add(const Symmetry& other);
  [[nodiscard]] bool holds() const;
};

/// Of lower = K[I, J] and upper = K[J, I], row-major; `largest` is left to the caller.
/// \param on_diagonal  I = J, and lower = upper
[[nodiscard]] Symmetry compare_mirrored(ConstSpan lower, ConstSpan upper, Index rows, Index cols,
                                        bool on_diagonal);

/// Kernels of so many samples are looked at side by side, larger ones one after the other, each on
/// all threads.
inline constexpr Index most_samples_side_by_side = 4096;

}  // namespace kernmix
