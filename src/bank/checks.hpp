#pragma once
/// \file
/// What a kernel must be before it is stored. Every check throws DataError with the kernel's name.

#include <string>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Throws the DataError of an entry that is not finite.
[[noreturn]] void refuse_entry(const std::string& name, Index row, Index col, double value);

/// Every entry finite, |K_ij - K_ji| <= 1e-8 max |K|. Reads the whole matrix.
void check_symmetric(const KernelSource& source, const std::string& name, const Context& context);

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

}  // namespace kernmix
