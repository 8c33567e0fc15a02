#pragma once
/// \file
/// Checks of kernels during the construction of a bank.

#include <string>

#include "kernmix/bank/checks.hpp"

namespace kernmix {

/// Throws the DataError of an entry that is not finite.
[[noreturn]] void refuse_entry(const std::string& name, Index row, Index col, double value);

/// Statistics of entries and their mirror images.
struct Symmetry {
  double difference = 0.0;  ///< max |K_ij - K_ji|
  double largest = 0.0;     ///< max |K_ij|
  double sum = 0.0;         ///< of all |K_ij - K_ji|: finite if all entries are

  void add(const Symmetry& other);
  [[nodiscard]] bool holds() const;
};

/// Of lower = K[I, J] and upper = K[J, I], row-major; `largest` is left to the caller.
/// \param on_diagonal  I = J, and lower = upper
[[nodiscard]] Symmetry compare_mirrored(ConstSpan lower, ConstSpan upper, Index rows, Index cols,
                                        bool on_diagonal);

/// Kernels of up to this number of samples are checked in parallel, larger ones one after another,
/// each on all threads.
inline constexpr Index most_samples_side_by_side = 4096;

}  // namespace kernmix
