#pragma once
/// \file
/// Index lists of samples, their entries and weights, and stopping requests.

#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// begin, begin + 1, ..., end - 1
template <typename Number = Index>
[[nodiscard]] std::vector<Number> index_range(std::type_identity_t<Number> begin,
                                              std::type_identity_t<Number> end) {
  std::vector<Number> range(static_cast<std::size_t>(end - begin));
  std::iota(range.begin(), range.end(), begin);
  return range;
}

/// 0, 1, ..., n-1
[[nodiscard]] inline std::vector<Index> all_samples(Index n) { return index_range(0, n); }

/// The entries begin, begin + 1, ..., end - 1 of a vector or a span, in place.
template <typename Values>
[[nodiscard]] auto slice(const Values& values, Index begin, Index end) {
  return std::span(values).subspan(to_size(begin), to_size(end - begin));
}

/// The entries of `values` at these indices; empty if `values` is empty.
template <typename Values>
[[nodiscard]] std::vector<typename Values::value_type> entries_at(const Values& values,
                                                                  std::span<const Index> places) {
  std::vector<typename Values::value_type> some;
  if (values.empty()) return some;
  some.reserve(places.size());
  for (const Index i : places) some.push_back(values[to_size(i)]);
  return some;
}

/// Column j of a matrix, whose rows are samples.
[[nodiscard]] inline Vector column_of(const ConstMatrix& matrix, Index j) {
  Vector column(to_size(matrix.rows));
  for (Index i = 0; i < matrix.rows; ++i) column[to_size(i)] = matrix(i, j);
  return column;
}

/// At most `count` evenly spaced indices in 0 .. n-1.
[[nodiscard]] std::vector<Index> spaced_samples(Index n, Index count);

/// Weight of sample i.
[[nodiscard]] inline double weight_at(ConstSpan weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

/// Total weight of these samples.
[[nodiscard]] inline double weight_of(const std::vector<Index>& samples, ConstSpan weights) {
  double sum = 0.0;
  for (const Index i : samples) sum += weight_at(weights, to_size(i));
  return sum;
}

/// Effective sample size (Kish 1965) from the sum and the sum of squares of the weights.
[[nodiscard]] inline double effective_size(double sum, double squares) {
  return sum * sum / squares;
}

[[nodiscard]] inline double effective_size(ConstSpan weights) {
  return effective_size(std::accumulate(weights.begin(), weights.end(), 0.0),
                        std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0));
}

/// Throws ResourceError after the time limit or a cancellation: without kernels there is no
/// intermediate answer to return.
void stop_if_asked(const Context& context);

}  // namespace kernmix
