#pragma once

#include <cstdint>

#include "kernmix/types.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// Whether negative zeros count as zeros, which sparse tables leave out; earlier versions of
/// kernmix told them apart.
enum class Zeros { alike, signed_zeros };

/// XXH3 of the training data: targets, the columns of kernels, and matrices. It is a sum over
/// samples and therefore independent of their order, except with matrices or sample weights, which
/// depend on positions.
/// \param targets  a row for each of n samples: its label, or all its labels
/// \throws ResourceError if the context stops it
[[nodiscard]] std::uint64_t fingerprint(const Matrix& targets, const TrainingKernels& kernels,
                                        ConstSpan sample_weights, const Context& context,
                                        Zeros zeros = Zeros::alike);

/// Of some samples and a digest of their numbers.
[[nodiscard]] std::uint64_t digest_of(const std::vector<Index>& samples, std::uint64_t numbers);

/// Reads a matrix once.
[[nodiscard]] MatrixFacts facts_of(const GivenMatrix& matrix, const Context& context);

}  // namespace kernmix
