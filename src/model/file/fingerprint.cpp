#include "model/file/fingerprint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/linear_algebra.hpp"
#include "base/samples.hpp"

namespace kernmix {
namespace {

std::uint64_t hash_of(ConstSpan values, std::uint64_t seed) {
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

/// The mean of a matrix, whose rows are added up one by one: rounding grows with one row's length.
double mean_of_rows(ConstSpan values, Index rows) {
  const auto cols = values.size() / to_size(rows);
  double sum = 0.0;
  for (std::size_t begin = 0; begin < values.size(); begin += cols) {
    sum += as_vector(values.subspan(begin, cols)).mean();
  }
  return sum / static_cast<double>(rows);
}

}  // namespace

MatrixFacts facts_of(const GivenMatrix& matrix, const Context& context) {
  MatrixFacts facts;
  const bool square = matrix.rows() == matrix.cols();
  const ConstMatrix* const values = matrix.in_memory();
  if (values != nullptr && values->contiguous()) {
    for (Index i = 0; square && i < values->rows; ++i) facts.diagonal.push_back((*values)(i, i));
    facts.digest = hash_of(values->values, 0);
    facts.mean_entry = mean_of_rows(values->values, values->rows);
    return facts;
  }
  constexpr Index at_once = Index{1} << 17;  // a MiB
  const std::vector<Index> all = all_samples(std::max(matrix.rows(), matrix.cols()));
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  const Index band = std::max<Index>(1, at_once / matrix.cols());
  Vector numbers;
  for (Index begin = 0; begin < matrix.rows(); begin += band) {
    stop_if_asked(context);
    const Index end = std::min(begin + band, matrix.rows());
    numbers.resize(to_size((end - begin) * matrix.cols()));
    matrix.block(slice(all, begin, end), slice(all, 0, matrix.cols()), numbers);
    XXH3_64bits_update(state.get(), numbers.data(), numbers.size() * sizeof(double));
    const double share = static_cast<double>(end - begin) / static_cast<double>(matrix.rows());
    facts.mean_entry += share * mean_of_rows(numbers, end - begin);
    for (Index i = begin; square && i < end; ++i) {
      facts.diagonal.push_back(numbers[to_size((i - begin) * matrix.cols() + i)]);
    }
  }
  facts.digest = XXH3_64bits_digest(state.get());
  return facts;
}

std::uint64_t fingerprint(const Matrix& targets, const TrainingKernels& kernels,
                          ConstSpan sample_weights) {
  const bool positions_matter = !kernels.matrices.empty() || !sample_weights.empty();
  auto sum = static_cast<std::uint64_t>(targets.rows);
  for (Index i = 0; i < targets.rows; ++i) {
    const auto position = positions_matter ? static_cast<std::uint64_t>(i) : 0;
    sum += hash_of(kernels.features.raw_row(i), hash_of(targets.row(i), position));
  }
  for (const MatrixFacts& facts : kernels.facts) {
    const std::array<std::uint64_t, 2> both = {sum, facts.digest};
    sum = XXH3_64bits(both.data(), sizeof(both));
  }
  return sample_weights.empty() ? sum : hash_of(sample_weights, sum);
}

}  // namespace kernmix
