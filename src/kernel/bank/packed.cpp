#include "kernel/bank/packed.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/bank/simd.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index entries_per_block = 16384;
constexpr Index most_blocks = 64;
constexpr Index reduction_block = 4096;

/// sum_k row[index[k]] value[k], k < count, in four fixed lanes
template <typename T>
double gathered_dot(const T* row, const Index* index, const double* value, Index count) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  Index k = 0;
  for (; k + 4 <= count; k += 4) {
    for (Index lane = 0; lane < 4; ++lane) {
      sum[lane] += static_cast<double>(row[index[k + lane]]) * value[k + lane];
    }
  }
  for (; k < count; ++k) sum[0] += static_cast<double>(row[index[k]]) * value[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// sum_{j < i} row[j] a[j], where `below` support indices are less than i
template <typename T>
double support_dot(const T* row, const DualVector& a, Index i, Index below) {
  if (below == 0) return 0.0;
  if (a.sparse) return gathered_dot(row, a.support.data(), a.values.data(), below);
  const Index first = a.support.front();
  return simd::dot(row + first, a.dense.data() + first, i - first);
}

}  // namespace

DualVector::DualVector(ConstSpan a) : dense(a) {
  for (Index i = 0; i < length(a); ++i) {
    const double value = a[static_cast<std::size_t>(i)];
    if (value == 0.0) continue;
    support.push_back(i);
    values.push_back(value);
  }
  sparse = 4 * length(support) < length(a);
}

Index DualVector::below(Index i) const {
  return std::lower_bound(support.begin(), support.end(), i) - support.begin();
}

std::vector<Index> packed_row_bounds(Index n) {
  const Index blocks = std::clamp<Index>(packed_size(n) / entries_per_block, 1, most_blocks);
  std::vector<Index> bounds;
  for (Index b = 0; b < blocks; ++b) {
    const double share = static_cast<double>(b) / static_cast<double>(blocks);
    bounds.push_back(static_cast<Index>(std::sqrt(share) * static_cast<double>(n)));
  }
  bounds.push_back(n);
  return bounds;
}

template <typename T>
double PackedStack<T>::quadratic_part(const Packed<T>& K, const DualVector& a, Index begin,
                                      Index end) const {
  double sum = 0.0;
  const Index last = a.below(end);
  for (Index k = a.below(begin); k < last; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index i = a.support[at];
    const T* row = K.row(i);
    const double diagonal = static_cast<double>(row[i]) * a.values[at];
    sum += a.values[at] * (2.0 * support_dot(row, a, i, k) + diagonal);
  }
  return sum;
}

template <typename T>
void PackedStack<T>::quadratic_forms(const DualVector& a, MutableSpan q,
                                     const Context& context) const {
  const Index blocks = length(bounds_) - 1;
  Vector parts(static_cast<std::size_t>(kernels() * blocks));
  parallel_for(context, length(parts), [&](Index task) {
    const auto b = static_cast<std::size_t>(task % blocks);
    const Packed<T>& K = matrices_[static_cast<std::size_t>(task / blocks)];
    parts[static_cast<std::size_t>(task)] = quadratic_part(K, a, bounds_[b], bounds_[b + 1]);
  });
  for (Index k = 0; k < kernels(); ++k) {
    double sum = 0.0;
    for (Index b = 0; b < blocks; ++b) sum += parts[static_cast<std::size_t>(k * blocks + b)];
    q[static_cast<std::size_t>(k)] = sum;
  }
}

template <typename T>
void PackedStack<T>::product_part(const Packed<T>& K, double weight, const DualVector& a,
                                  Index begin, Index end, double* z) const {
  Index below = a.below(begin);
  for (Index i = begin; i < end; ++i) {
    const T* row = K.row(i);
    const double a_i = a.dense[static_cast<std::size_t>(i)];
    if (a_i == 0.0) {
      z[i] += weight * support_dot(row, a, i, below);
      continue;
    }
    const double dot = simd::dot_add_scaled(row, a.dense.data(), weight * a_i, z, i);
    z[i] += weight * (dot + static_cast<double>(row[i]) * a_i);
    ++below;
  }
}

template <typename T>
void PackedStack<T>::add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                                 const Context& context) const {
  if (terms.empty() || a.support.empty()) return;
  const Index blocks = length(bounds_) - 1;
  // Block b of the lower triangle adds to z[0 .. bounds_[b + 1]) only.
  std::vector<Vector> parts(static_cast<std::size_t>(blocks));
  parallel_for(context, blocks, [&](Index task) {
    const auto b = static_cast<std::size_t>(task);
    parts[b].assign(static_cast<std::size_t>(bounds_[b + 1]), 0.0);
    for (const Term& term : terms) {
      product_part(matrices_[static_cast<std::size_t>(term.kernel)], term.weight, a, bounds_[b],
                   bounds_[b + 1], parts[b].data());
    }
  });
  parallel_for(context, (n_ + reduction_block - 1) / reduction_block, [&](Index task) {
    const Index begin = task * reduction_block;
    const Index end = std::min(begin + reduction_block, n_);
    for (const Vector& part : parts) {
      const Index stop = std::min(end, length(part));
      for (Index i = begin; i < stop; ++i) {
        z[static_cast<std::size_t>(i)] += part[static_cast<std::size_t>(i)];
      }
    }
  });
}

template <typename T>
void PackedStack<T>::add_tile(std::span<const Term> terms, const Tile& tile,
                              MutableSpan out) const {
  for (const Term& term : terms) {
    const Packed<T>& K = matrices_[static_cast<std::size_t>(term.kernel)];
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      const Index end = std::min(tile.col_end, i + 1);
      if (end <= tile.col_begin) continue;
      simd::add_scaled(term.weight, K.row(i) + tile.col_begin,
                       out.data() + (i - tile.row_begin) * tile.cols(), end - tile.col_begin);
    }
  }
}

template <typename T>
void PackedStack<T>::add_block(std::span<const Term> terms, std::span<const Index> rows,
                               std::span<const Index> cols, MutableSpan out) const {
  for (const Term& term : terms) {
    const Packed<T>& K = matrices_[static_cast<std::size_t>(term.kernel)];
    double* entry = out.data();
    for (const Index i : rows) {
      for (const Index j : cols) *entry++ += term.weight * K.at(i, j);
    }
  }
}

template <typename T>
void PackedStack<T>::block(Index kernel, std::span<const Index> rows, std::span<const Index> cols,
                           MutableSpan out) const {
  const Packed<T>& K = matrices_[static_cast<std::size_t>(kernel)];
  double* entry = out.data();
  for (const Index i : rows) {
    for (const Index j : cols) *entry++ = K.at(i, j);
  }
}

template class PackedStack<float>;
template class PackedStack<double>;

}  // namespace kernmix
