#include "bank/family/factor_stack.hpp"

#include <algorithm>

#include "bank/family/incomplete_cholesky.hpp"
#include "bank/family/shared_basis.hpp"
#include "bank/packed/prefetch.hpp"
#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"
#include "kernel/landmark_source.hpp"

namespace kernmix {
namespace {

constexpr Index rows_per_factor_block = 512;
constexpr Index most_product_blocks = 64;

/// Begin of block b of `blocks` of 0 .. n.
Index block_begin(Index n, Index blocks, Index b) { return n * b / blocks; }

Index block_count(Index n) {
  return std::clamp<Index>(n / rows_per_factor_block, 1, most_product_blocks);
}

/// `to`, with rows of `stride` entries, becomes M', by so many rows of M that parts of the rows of
/// both are whole cache lines; those of M that come next are asked for meanwhile.
template <typename T>
void write_transposed(const Matrix& M, T* to, Index stride) {
  constexpr Index together = 16;
  for (Index top = 0; top < M.rows; top += together) {
    const Index rows = std::min(together, M.rows - top);
    const double* from = M.row(top).data();
    const Index to_come = (M.rows - top - rows) * M.cols;
    for (Index j = 0; j < M.cols; ++j) {
      const Index next = j * together;
      if (next < to_come) prefetch(from + rows * M.cols + next, together);
      T* out = to + j * stride + top;
      if (rows == together) {  // a number that the compiler knows
        for (Index i = 0; i < together; ++i) out[i] = static_cast<T>(from[i * M.cols + j]);
      } else {
        for (Index i = 0; i < rows; ++i) out[i] = static_cast<T>(from[i * M.cols + j]);
      }
    }
  }
}

}  // namespace

void FactorStack::Family::add_rows(const Index* rows, const double* alpha, Index count,
                                   Vector& v) const {
  if (X32.empty()) {
    simd::add_rows(X.data(), rank, rows, alpha, count, v.data(), rank);
  } else {
    simd::add_rows(X32.data(), rank, rows, alpha, count, v.data(), rank);
  }
}

double FactorStack::Family::row_times(Index i, const Vector& v) const {
  return X32.empty() ? simd::dot(X.data() + i * rank, v.data(), rank)
                     : simd::dot(X32.data() + i * rank, v.data(), rank);
}

void FactorStack::Family::copy_row(Index i, double* out) const {
  if (X32.empty()) {
    std::copy_n(X.data() + i * rank, rank, out);
  } else {
    std::copy_n(X32.data() + i * rank, rank, out);
  }
}

FactorStack::Family FactorStack::Family::on_samples(std::span<const Index> samples) const {
  Family part{rank, {}, {}, G, std::make_unique<Gram>()};
  const auto copy_rows = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.reserve(samples.size() * static_cast<std::size_t>(rank));
    for (const Index i : samples) {
      to.insert(to.end(), from.begin() + i * rank, from.begin() + (i + 1) * rank);
    }
  };
  copy_rows(X, part.X);
  copy_rows(X32, part.X32);
  return part;
}

FactorStack FactorStack::on_samples(std::span<const Index> samples, const Context& context) const {
  FactorStack part(length(samples));
  part.places_ = places_;
  part.families_.resize(families_.size());
  parallel_for(context, length(families_), [&](Index task) {
    const auto f = static_cast<std::size_t>(task);
    part.families_[f] = families_[f].on_samples(samples);
  });
  return part;
}

void FactorStack::append(const FactorFamily& family, bool single) {
  const Index rank = family.rank();
  Family stored{rank, {}, {}, {}, std::make_unique<Family::Gram>()};
  const auto size = static_cast<std::size_t>(n_ * rank);
  if (single) {
    stored.X32.resize(size);
    write_transposed(family.columns, stored.X32.data(), rank);
  } else {
    stored.X.resize(size);
    write_transposed(family.columns, stored.X.data(), rank);
  }
  Index columns = 0;
  for (const Matrix& core : family.cores) {
    places_.push_back({families_.size(), columns, core.rows});
    columns += core.rows;
  }
  if (family.cores.empty()) places_.push_back({families_.size(), 0, rank});
  stored.G.resize(columns > 0 ? rank : 0, columns);
  columns = 0;
  for (const Matrix& core : family.cores) {
    write_transposed(core, stored.G.data() + columns, stored.G.cols());
    columns += core.rows;
  }
  families_.push_back(std::move(stored));
}

void FactorStack::append(const LandmarkSource& kernel, bool single, const Context& context) {
  const SerialBlas serial;
  const Index rank = kernel.columns();
  Family stored{rank, {}, {}, {}, std::make_unique<Family::Gram>()};
  const auto size = static_cast<std::size_t>(n_ * rank);
  single ? stored.X32.resize(size) : stored.X.resize(size);
  parallel_blocks(context, n_, rows_per_factor_block, [&](Index, Index begin, Index end) {
    stop_if_asked(context);
    const std::vector<Index> rows = index_range(begin, end);
    const auto first = static_cast<std::size_t>(begin * rank);
    const auto count = rows.size() * static_cast<std::size_t>(rank);
    if (!single) return kernel.factor(rows, MutableSpan(stored.X).subspan(first, count));
    Vector block(count);
    kernel.factor(rows, block);
    std::ranges::transform(block, stored.X32.begin() + static_cast<std::ptrdiff_t>(first),
                           [](double entry) { return static_cast<float>(entry); });
  });
  places_.push_back({families_.size(), 0, rank});
  families_.push_back(std::move(stored));
}

std::size_t FactorStack::bytes() const {
  std::size_t sum = 0;
  for (const Family& family : families_) {
    const std::size_t numbers = family.X.size() + static_cast<std::size_t>(family.G.size());
    sum += numbers * sizeof(double) + family.X32.size() * sizeof(float);
  }
  return sum;
}

std::vector<std::size_t> FactorStack::families_of(std::span<const Index> kernels) const {
  std::vector<std::size_t> chosen;
  for (const Index kernel : kernels) chosen.push_back(place(kernel).family);
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<Vector> FactorStack::project(const std::vector<std::size_t>& chosen,
                                         const DualVector& a, const Context& context) const {
  const Index support = length(a.support);
  const Index blocks = block_count(support);
  std::vector<Vector> parts(chosen.size() * static_cast<std::size_t>(blocks));
  parallel_for(context, length(parts), [&](Index task) {
    const Family& family = families_[chosen[static_cast<std::size_t>(task / blocks)]];
    Vector& v = parts[static_cast<std::size_t>(task)];
    v.assign(static_cast<std::size_t>(family.rank), 0.0);
    const Index begin = block_begin(support, blocks, task % blocks);
    const Index end = block_begin(support, blocks, task % blocks + 1);
    family.add_rows(a.support.data() + begin, a.values.data() + begin, end - begin, v);
  });
  std::vector<Vector> result(families_.size());
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    Vector* part = &parts[f * static_cast<std::size_t>(blocks)];
    for (Index b = 1; b < blocks; ++b) {
      for (std::size_t c = 0; c < part->size(); ++c) (*part)[c] += part[b][c];
    }
    result[chosen[f]] = std::move(*part);
  }
  return result;
}

void FactorStack::quadratic_forms(std::span<const Index> chosen, const DualVector& a, MutableSpan q,
                                  const Context& context) const {
  const std::vector<std::size_t> used = families_of(chosen);
  std::vector<Vector> v = project(used, a, context);
  parallel_for(context, length(used), [&](Index task) {
    const std::size_t f = used[static_cast<std::size_t>(task)];
    const RowMatrix& G = families_[f].G;
    if (G.size() == 0) return;
    Vector w(static_cast<std::size_t>(G.cols()), 0.0);
    simd::add_rows(G.data(), G.cols(), nullptr, v[f].data(), G.rows(), w.data(), G.cols());
    v[f] = std::move(w);
  });
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Place& at = place(chosen[k]);
    const double* part = v[at.family].data() + at.first;
    q[k] = simd::dot(part, part, at.columns);
  }
}

Vector FactorStack::core_product(const Place& kernel, const Vector& v) const {
  const RowMatrix& G = families_[kernel.family].G;
  if (G.size() == 0) return v;
  Vector w(static_cast<std::size_t>(kernel.columns), 0.0);
  simd::add_rows(G.data() + kernel.first, G.cols(), nullptr, v.data(), G.rows(), w.data(),
                 kernel.columns);
  Vector product(v.size());
  for (Index r = 0; r < G.rows(); ++r) {
    product[static_cast<std::size_t>(r)] =
        simd::dot(G.data() + r * G.cols() + kernel.first, w.data(), kernel.columns);
  }
  return product;
}

void FactorStack::add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                              const Context& context) const {
  if (a.support.empty() || terms.empty()) return;
  std::vector<Index> kernels;
  for (const Term& term : terms) kernels.push_back(term.kernel);
  const std::vector<std::size_t> used = families_of(kernels);
  const std::vector<Vector> v = project(used, a, context);
  std::vector<Vector> product(families_.size());
  for (const Term& term : terms) {
    const Place& at = place(term.kernel);
    Vector& sum = product[at.family];
    sum.resize(v[at.family].size(), 0.0);
    const Vector part = core_product(at, v[at.family]);
    simd::add_scaled(term.weight, part.data(), sum.data(), length(sum));
  }
  const Index blocks = blocks_of(n_, rows_per_factor_block);
  parallel_for(context, blocks, [&](Index b) {
    const Index end = block_begin(n_, blocks, b + 1);
    for (const std::size_t f : used) {
      for (Index i = block_begin(n_, blocks, b); i < end; ++i) {
        z[static_cast<std::size_t>(i)] += families_[f].row_times(i, product[f]);
      }
    }
  });
}

Matrix FactorStack::products(std::span<const Index> chosen, const DualVector& a,
                             const Context& context) const {
  const std::vector<Vector> v = project(families_of(chosen), a, context);
  const Index blocks = blocks_of(n_, rows_per_factor_block);
  std::vector<Vector> product(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    product[k] = core_product(place(chosen[k]), v[place(chosen[k]).family]);
  }
  Matrix U(length(chosen), n_);
  parallel_for(context, length(chosen) * blocks, [&](Index task) {
    const auto k = static_cast<std::size_t>(task / blocks);
    const Family& family = families_[place(chosen[k]).family];
    const Index end = block_begin(n_, blocks, task % blocks + 1);
    for (Index i = block_begin(n_, blocks, task % blocks); i < end; ++i) {
      U(task / blocks, i) = family.row_times(i, product[k]);
    }
  });
  return U;
}

}  // namespace kernmix
