#include "model/fingerprint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kernmix {
namespace {

std::uint64_t hash_of(ConstSpan values, std::uint64_t seed) {
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

}  // namespace

std::uint64_t fingerprint(const Matrix& targets, const TrainingKernels& kernels,
                          ConstSpan sample_weights) {
  const Matrix& raw = kernels.features.raw();
  const bool positions_matter = !kernels.matrices.empty() || !sample_weights.empty();
  auto sum = static_cast<std::uint64_t>(targets.rows);
  for (Index i = 0; i < targets.rows; ++i) {
    const auto position = positions_matter ? static_cast<std::uint64_t>(i) : 0;
    sum += hash_of(raw.row(i), hash_of(targets.row(i), position));
  }
  for (const MatrixView& view : kernels.matrices) sum = hash_of(view.matrix->values, sum);
  return sample_weights.empty() ? sum : hash_of(sample_weights, sum);
}

}  // namespace kernmix
