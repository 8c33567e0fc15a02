#pragma once

#include <cstdint>

#include "kernmix/types.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// XXH3 of what training read: signs, the values of the columns that kernels read, matrices. A sum
/// over samples, so that their order does not matter, except with matrices or sample weights,
/// which are tied to positions.
/// \param targets  a row for each of n samples: its label, or all its labels
[[nodiscard]] std::uint64_t fingerprint(const Matrix& targets, const TrainingKernels& kernels,
                                        ConstSpan sample_weights);

/// Reads a matrix once.
[[nodiscard]] MatrixFacts facts_of(const GivenMatrix& matrix, const Context& context);

}  // namespace kernmix
