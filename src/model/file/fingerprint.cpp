#include "model/file/fingerprint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "model/file/sparse_hash.hpp"

namespace kernmix {
namespace {

constexpr Index rows_between_questions = 1024;  ///< between two questions to the context

std::uint64_t hash_of(ConstSpan values, std::uint64_t seed) {
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

/// The mean of the entries of some rows minus `first`: for nearly equal numbers the rounding error
/// is relative to their differences.
double mean_excess(ConstSpan values, Index rows, double first) {
  if (values.empty()) return 0.0;
  const auto cols = values.size() / to_size(rows);
  double sum = 0.0;
  Vector row(cols);
  for (std::size_t begin = 0; begin < values.size(); begin += cols) {
    for (std::size_t c = 0; c < cols; ++c) row[c] = values[begin + c] - first;
    sum += sum_in_order(row);
  }
  return sum / static_cast<double>(rows) / static_cast<double>(cols);
}

/// Of F F', from F.
MatrixFacts facts_of_factor(const MatrixFactor& factor) {
  const Matrix& F = factor.F;
  MatrixFacts facts;
  Vector sums(to_size(F.cols), 0.0);
  for (Index i = 0; i < F.rows; ++i) {
    double squares = 0.0;
    for (Index p = 0; p < F.cols; ++p) {
      squares += F(i, p) * F(i, p);
      sums[to_size(p)] += F(i, p);
    }
    facts.diagonal.push_back(squares);
  }
  const auto n = static_cast<double>(F.rows);
  for (const double sum : sums) facts.mean_entry += (sum / n) * (sum / n);
  facts.digest = factor.digest;
  return facts;
}

using SeedOfRow = std::function<std::uint64_t(Index)>;

std::uint64_t sum_of_rows(const FeatureColumns& features, Index samples, const SeedOfRow& seed,
                          Zeros zeros, const Context& context) {
  std::uint64_t sum = 0;
  for (Index i = 0; i < samples; ++i) {
    if (i % rows_between_questions == 0) stop_if_asked(context);
    Vector row = features.given_row(i);
    if (zeros == Zeros::alike) {
      for (double& value : row) value += 0.0;  // of -0
    }
    sum += hash_of(row, seed(i));
  }
  return sum;
}

/// The same of a sparse table, which has no -0, by its entries.
std::uint64_t sum_of_entries(const FeatureColumns& features, Index samples, const SeedOfRow& seed,
                             const Context& context) {
  const std::vector<Index> columns = index_range(0, length(features.names()));
  const std::vector<Index> all = all_samples(samples);
  SparseRowHash hash(length(columns));
  std::vector<std::pair<Index, double>> entries;
  std::uint64_t sum = 0;
  for (Index begin = 0; begin < samples; begin += rows_between_questions) {
    stop_if_asked(context);
    const Index end = std::min(begin + rows_between_questions, samples);
    const SparseMatrix rows = features.sparse_at(slice(all, begin, end), columns);
    for (Index r = 0; r < rows.rows; ++r) {
      entries.clear();
      const auto places = rows.columns_of(r);
      for (std::size_t k = 0; k < places.size(); ++k) {
        entries.emplace_back(places[k], rows.values_of(r)[k]);
      }
      sum += hash.digest(entries, seed(begin + r));
    }
  }
  return sum;
}

}  // namespace

MatrixFacts facts_of(const GivenMatrix& matrix, const Context& context) {
  if (const MatrixFactor* const factor = matrix.factor()) return facts_of_factor(*factor);
  MatrixFacts facts;
  const bool square = matrix.rows() == matrix.cols();
  const ConstMatrix* const values = matrix.in_memory();
  if (values != nullptr && values->contiguous()) {
    for (Index i = 0; square && i < values->rows; ++i) facts.diagonal.push_back((*values)(i, i));
    facts.digest = hash_of(values->values, 0);
    const double first = values->values.empty() ? 0.0 : values->values.front();
    facts.mean_entry = first + mean_excess(values->values, values->rows, first);
    return facts;
  }
  constexpr Index at_once = Index{1} << 17;  // a MiB
  const std::vector<Index> all = all_samples(std::max(matrix.rows(), matrix.cols()));
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  const Index band = std::max<Index>(1, at_once / matrix.cols());
  Vector numbers;
  double first = 0.0;
  for (Index begin = 0; begin < matrix.rows(); begin += band) {
    stop_if_asked(context);
    const Index end = std::min(begin + band, matrix.rows());
    numbers.resize(to_size((end - begin) * matrix.cols()));
    matrix.block(slice(all, begin, end), slice(all, 0, matrix.cols()), numbers);
    XXH3_64bits_update(state.get(), numbers.data(), numbers.size() * sizeof(double));
    const double share = static_cast<double>(end - begin) / static_cast<double>(matrix.rows());
    if (begin == 0) first = facts.mean_entry = numbers.front();
    facts.mean_entry += share * mean_excess(numbers, end - begin, first);
    for (Index i = begin; square && i < end; ++i) {
      facts.diagonal.push_back(numbers[to_size((i - begin) * matrix.cols() + i)]);
    }
  }
  facts.digest = XXH3_64bits_digest(state.get());
  return facts;
}

std::uint64_t digest_of(const std::vector<Index>& samples, std::uint64_t numbers) {
  return XXH3_64bits_withSeed(samples.data(), samples.size() * sizeof(Index), numbers);
}

std::uint64_t fingerprint(const Matrix& targets, const TrainingKernels& kernels,
                          ConstSpan sample_weights, const Context& context, Zeros zeros) {
  const bool positions_matter = !kernels.matrices.empty() || !sample_weights.empty();
  auto sum = static_cast<std::uint64_t>(targets.rows);
  const auto seed = [&](Index i) {
    const auto position = positions_matter ? static_cast<std::uint64_t>(i) : 0;
    return hash_of(targets.row(i), position);
  };
  const FeatureColumns& features = kernels.features;
  sum += features.is_sparse() ? sum_of_entries(features, targets.rows, seed, context)
                              : sum_of_rows(features, targets.rows, seed, zeros, context);
  for (const MatrixFacts& facts : kernels.facts) {
    const std::array<std::uint64_t, 2> both = {sum, facts.digest};
    sum = XXH3_64bits(both.data(), sizeof(both));
  }
  return sample_weights.empty() ? sum : hash_of(sample_weights, sum);
}

}  // namespace kernmix
