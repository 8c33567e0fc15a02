#include "bank/packed/packed.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "bank/packed/panel.hpp"
#include "base/parallel.hpp"
#include "base/simd.hpp"

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
  // A line of memory holds 16 floats: sooner than this, gathering reads them all the same.
  sparse = 10 * length(support) < length(a);
}

Index DualVector::below(Index i) const {
  return std::lower_bound(support.begin(), support.end(), i) - support.begin();
}

void pack_product(std::span<const float> transposed, Index n, std::span<float> out) {
  constexpr Index rows_per_product = 64;
  const Eigen::Map<const RowMatrixF> L(transposed.data(), length(transposed) / n, n);
  RowMatrixF rows;
  float* entry = out.data();
  for (Index begin = 0; begin < n; begin += rows_per_product) {
    const Index end = std::min(begin + rows_per_product, n);
    rows.noalias() = L.middleCols(begin, end - begin).transpose() * L.leftCols(end);
    for (Index i = begin; i < end; ++i) {
      entry = std::copy_n(rows.row(i - begin).data(), i + 1, entry);
    }
  }
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
void PackedStack<T>::quadratic_forms(std::span<const Index> chosen, const DualVector& a,
                                     MutableSpan q, const Context& context) const {
  const Index blocks = length(bounds_) - 1;
  Vector parts(chosen.size() * static_cast<std::size_t>(blocks));
  parallel_for(context, length(parts), [&](Index task) {
    const auto b = static_cast<std::size_t>(task % blocks);
    const Packed<T>& K = matrix(chosen[static_cast<std::size_t>(task / blocks)]);
    parts[static_cast<std::size_t>(task)] = quadratic_part(K, a, bounds_[b], bounds_[b + 1]);
  });
  for (Index k = 0; k < length(chosen); ++k) {
    double sum = 0.0;
    for (Index b = 0; b < blocks; ++b) sum += parts[static_cast<std::size_t>(k * blocks + b)];
    q[static_cast<std::size_t>(k)] = sum;
  }
}

template <typename T>
void PackedStack<T>::support_part(const Packed<T>& K, const DualVector& a, Index begin, Index end,
                                  MutableSpan u) const {
  const Index first = a.below(begin);
  const Index last = a.below(end);
  if (first == last) return;
  const Index* support = a.support.data();
  const double* value = a.values.data();
  if (a.sparse) {
    for (Index k = first; k < last; ++k) {
      const T* row = K.row(support[k]);
      double dot = static_cast<double>(row[support[k]]) * value[k];
      for (Index l = 0; l < k; ++l) {
        const double entry = static_cast<double>(row[support[l]]);
        dot += entry * value[l];
        u[static_cast<std::size_t>(l)] += entry * value[k];
      }
      u[static_cast<std::size_t>(k)] += dot;
    }
    return;
  }
  // On all samples, since whole rows are faster than gathering; from the first one with a != 0.
  const Index origin = support[0];
  Vector z(static_cast<std::size_t>(support[last - 1] + 1 - origin), 0.0);
  const double* dense = a.dense.data() + origin;
  const auto row_of = [&](Index k) { return K.row(support[k]) + origin; };
  /// What is left of a row from this column on.
  const auto finish = [&](Index k, Index from, double dot) {
    const Index i = support[k] - origin;
    const T* row = row_of(k);
    dot += simd::dot_add_scaled(row + from, dense + from, value[k], z.data() + from, i - from);
    z[static_cast<std::size_t>(i)] += dot + static_cast<double>(row[i]) * value[k];
  };
  Index k = first;
  for (; k + 4 <= last; k += 4) {
    const auto rows = simd::four_rows<T>(k, last, row_of, [&](Index l) { return value[l]; });
    const Index shared = support[k] - origin;
    double dots[4];
    simd::dot_add_scaled(rows, dense, z.data(), dots, shared);
    for (Index r = 0; r < 4; ++r) finish(k + r, shared, dots[r]);
  }
  for (; k < last; ++k) finish(k, 0, 0.0);
  for (Index l = 0; l < last; ++l) {
    u[static_cast<std::size_t>(l)] += z[static_cast<std::size_t>(support[l] - origin)];
  }
}

template <typename T>
PackedStack<T> PackedStack<T>::on_samples(std::span<const Index> samples,
                                          const Context& context) const {
  PackedStack part(length(samples));
  if (kernels() > 0) part.matrices_ = Packed<T>::several(length(samples), kernels());
  parallel_for(context, kernels(), [&](Index k) {
    const Packed<T>& K = matrices_[static_cast<std::size_t>(k)];
    T* entry = part.matrices_[static_cast<std::size_t>(k)].values.get();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const T* row = K.row(samples[i]);
      for (std::size_t j = 0; j <= i; ++j) *entry++ = row[samples[j]];
    }
  });
  return part;
}

template <typename T>
template <typename AddPart>
Matrix PackedStack<T>::sums_over_rows(Index count, Index columns, const Context& context,
                                      const AddPart& add) const {
  // Few kernels are cut into parts of their rows, so that every thread has work.
  constexpr Index enough_tasks = 64;
  constexpr Index least_entries = 1 << 18;  // adding up what the parts have should take no time
  const Index blocks = length(bounds_) - 1;
  const Index wanted =
      std::min(enough_tasks / std::max<Index>(count, 1), packed_size(n_) / least_entries);
  const Index parts = std::clamp<Index>(wanted, 1, blocks);
  std::vector<Matrix> sums(static_cast<std::size_t>(parts), Matrix(count, columns));
  parallel_for(context, count * parts, [&](Index task) {
    const Index k = task / parts;
    const Index p = task % parts;
    const auto bound = [&](Index part) {
      return bounds_[static_cast<std::size_t>(part * blocks / parts)];
    };
    add(k, bound(p), bound(p + 1), sums[static_cast<std::size_t>(p)].row(k));
  });
  for (Index p = 1; p < parts; ++p) {
    const Vector& part = sums[static_cast<std::size_t>(p)].values;
    std::ranges::transform(part, sums[0].values, sums[0].values.begin(), std::plus<>());
  }
  return std::move(sums[0]);
}

template <typename T>
Matrix PackedStack<T>::support_products(std::span<const Index> chosen, const DualVector& a,
                                        const Context& context) const {
  return sums_over_rows(length(chosen), length(a.support), context,
                        [&](Index k, Index begin, Index end, MutableSpan sum) {
                          support_part(matrix(chosen[static_cast<std::size_t>(k)]), a, begin, end,
                                       sum);
                        });
}

template <typename T>
Matrix PackedStack<T>::products(std::span<const Index> chosen, const DualVector& a,
                                const Context& context) const {
  return sums_over_rows(
      length(chosen), n_, context, [&](Index k, Index begin, Index end, MutableSpan sum) {
        product_part(matrix(chosen[static_cast<std::size_t>(k)]), 1.0, a, begin, end, sum.data());
      });
}

template <typename T>
void PackedStack<T>::product_part(const Packed<T>& K, double weight, const DualVector& a,
                                  Index begin, Index end, double* z) const {
  if (a.sparse) return sparse_product_part(K, weight, a, begin, end, z);
  const double* dense = a.dense.data();
  for (Index i = begin; i < end; i += 4) {
    const auto row_of = [&](Index r) { return K.row(i + r); };
    const auto scale = [&](Index r) { return weight * dense[i + r]; };
    const auto rows = simd::four_rows<T>(0, end - i, row_of, scale);
    double dots[4];
    simd::dot_add_scaled(rows, dense, z, dots, i);
    for (Index r = 0; r < std::min<Index>(4, end - i); ++r) {
      // What these rows have from column i on.
      double dot = dots[r] + static_cast<double>(rows.x[r][i + r]) * dense[i + r];
      for (Index j = i; j < i + r; ++j) {
        dot += static_cast<double>(rows.x[r][j]) * dense[j];
        z[j] += rows.scale[r] * static_cast<double>(rows.x[r][j]);
      }
      z[i + r] += weight * dot;
    }
  }
}

template <typename T>
void PackedStack<T>::sparse_product_part(const Packed<T>& K, double weight, const DualVector& a,
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
  parallel_blocks(context, n_, reduction_block, [&](Index, Index begin, Index end) {
    for (const Vector& part : parts) {
      const Index stop = std::min(end, length(part));
      for (Index i = begin; i < stop; ++i) {
        z[static_cast<std::size_t>(i)] += part[static_cast<std::size_t>(i)];
      }
    }
  });
}

template <typename T>
Matrix PackedStack<T>::panel_forms(std::span<const Index> chosen, const Panel& A,
                                   const Context& context) const {
  return panel_forms_of(n_, length(chosen), A, context,
                        [&](Index k, const Tile& tile, MutableSpan entries) {
                          const Term term{chosen[static_cast<std::size_t>(k)], 1.0};
                          add_tile({&term, 1}, tile, entries);
                        });
}

template <typename T>
void PackedStack<T>::add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                                       const Context& context) const {
  if (terms.empty()) return;
  as_matrix(Z) +=
      as_matrix(panel_product_of(n_, A, context, [&](const Tile& tile, MutableSpan entries) {
        add_tile(terms, tile, entries);
      }));
}

template <typename T>
void PackedStack<T>::add_tile(std::span<const Term> terms, const Tile& tile,
                              MutableSpan out) const {
  constexpr std::size_t together = 4;
  for (std::size_t t = 0; t < terms.size(); t += together) {
    const auto some = terms.subspan(t, std::min(together, terms.size() - t));
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      const Index count = std::min(tile.col_end, i + 1) - tile.col_begin;
      if (count <= 0) continue;
      const auto entries = [&](Index k) {
        const Term& term = some[static_cast<std::size_t>(k)];
        return matrices_[static_cast<std::size_t>(term.kernel)].row(i) + tile.col_begin;
      };
      const auto weight = [&](Index k) { return some[static_cast<std::size_t>(k)].weight; };
      auto rows = simd::four_rows<T>(0, length(some), entries, weight);
      for (std::size_t k = 0; k < together; ++k) rows.next[k] = rows.x[k] + i + 1;
      simd::add_scaled(rows, out.data() + (i - tile.row_begin) * tile.cols(), count);
    }
  }
}

template <typename T>
void PackedStack<T>::add_lower_block(std::span<const Term> terms, std::span<const Index> rows,
                                     std::span<const Index> cols, MutableSpan out) const {
  constexpr Index kSpread = 6;
  if (cols.back() - cols.front() > kSpread * length(cols)) return add_block(terms, rows, cols, out);
  Vector sum;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Index i = rows[r];
    const Index after = rows[std::min(r + 1, rows.size() - 1)];
    const auto count = std::ranges::upper_bound(cols, i) - cols.begin();
    if (count == 0) continue;
    const Index first = cols.front();
    const Index span = cols[static_cast<std::size_t>(count - 1)] + 1 - first;
    sum.assign(static_cast<std::size_t>(span), 0.0);
    for (std::size_t t = 0; t < terms.size(); t += 4) {
      const auto some = terms.subspan(t, std::min<std::size_t>(4, terms.size() - t));
      const auto kernel = [&](Index k) -> const Packed<T>& {
        return matrices_[static_cast<std::size_t>(some[static_cast<std::size_t>(k)].kernel)];
      };
      const auto entries = [&](Index k) { return kernel(k).row(i) + first; };
      const auto weight = [&](Index k) { return some[static_cast<std::size_t>(k)].weight; };
      auto four = simd::four_rows<T>(0, length(some), entries, weight);
      for (Index k = 0; k < 4; ++k) {
        four.next[k] = kernel(std::min(k, length(some) - 1)).row(after) + first;
      }
      simd::add_scaled(four, sum.data(), span);
    }
    double* entry = out.data() + static_cast<Index>(r) * length(cols);
    for (Index c = 0; c < count; ++c) {
      entry[c] += sum[static_cast<std::size_t>(cols[static_cast<std::size_t>(c)] - first)];
    }
  }
}

template <typename T>
void PackedStack<T>::add_block(std::span<const Term> terms, std::span<const Index> rows,
                               std::span<const Index> cols, MutableSpan out) const {
  constexpr std::size_t together = 4;
  for (std::size_t t = 0; t < terms.size(); t += together) {
    const auto some = terms.subspan(t, std::min(together, terms.size() - t));
    double* entry = out.data();
    for (const Index i : rows) {
      const T* row[together] = {};
      double weight[together] = {};
      for (std::size_t k = 0; k < together; ++k) {
        const Term& term = some[std::min(k, some.size() - 1)];  // the last one again, times 0
        row[k] = matrices_[static_cast<std::size_t>(term.kernel)].row(i);
        weight[k] = k < some.size() ? term.weight : 0.0;
      }
      for (const Index j : cols) {
        double sum = 0.0;
        for (std::size_t k = 0; k < together; ++k) {
          // Above the diagonal the entry stands in row j.
          const T* at = j <= i ? row[k] + j : row[k] + (packed_size(j) - packed_size(i)) + i;
          sum += weight[k] * static_cast<double>(*at);
        }
        *entry++ += sum;
      }
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
