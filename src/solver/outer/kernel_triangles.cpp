#include "solver/outer/kernel_triangles.hpp"

#include <algorithm>
#include <utility>

#include "blas_threads.hpp"
#include "kernel/bank/simd.hpp"
#include "parallel.hpp"

namespace kernmix {

void KernelTriangles::append(const std::vector<Index>& kernels) {
  const SerialBlas serial;
  const auto entries = static_cast<std::size_t>(packed_size(n_));
  std::vector<std::vector<float>> factors = bank_.single_factors(kernels, context_);
  std::vector<Packed<float>> triangles = Packed<float>::several(n_, length(kernels));
  std::vector<Index> without;
  std::vector<std::span<float>> out;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (!factors[k].empty()) continue;
    without.push_back(kernels[k]);
    out.emplace_back(triangles[k].values.get(), entries);
  }
  bank_.triangles(without, out, context_);
  parallel_for(context_, length(kernels), [&](Index task) {
    const auto k = static_cast<std::size_t>(task);
    if (!factors[k].empty()) pack_product(factors[k], n_, {triangles[k].values.get(), entries});
  });
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    kernels_.push_back({kernels[k], std::move(triangles[k]), std::move(factors[k])});
  }
}

void KernelTriangles::keep(const std::vector<Index>& places) {
  std::vector<Kernel> kept;
  for (const Index k : places) kept.push_back(std::move(kernels_[static_cast<std::size_t>(k)]));
  kernels_ = std::move(kept);
}

void KernelTriangles::combine(const Eigen::ArrayXd& d, RowMatrix& out) const {
  constexpr Index sums_at_once = 4096;  // stay in the first cache while the kernels pass by
  constexpr Index together = 4;
  out.resize(n_, n_);
  const Index rows_per_task = std::max<Index>(sums_at_once / n_, 1);
  parallel_blocks(context_, n_, rows_per_task, [&](Index, Index begin, Index end) {
    Vector sums(static_cast<std::size_t>(packed_size(end) - packed_size(begin)), 0.0);
    const auto rows = [&](Index k) {
      return kernels_[static_cast<std::size_t>(k)].triangle.row(begin);
    };
    Index k = 0;
    for (; k + together <= d.size(); k += together) {
      simd::add_scaled({d[k], d[k + 1], d[k + 2], d[k + 3]},
                       {rows(k), rows(k + 1), rows(k + 2), rows(k + 3)}, sums.data(), length(sums));
    }
    for (; k < d.size(); ++k) simd::add_scaled(d[k], rows(k), sums.data(), length(sums));
    const double* sum = sums.data();
    for (Index i = begin; i < end; ++i) {
      std::copy_n(sum, i + 1, out.row(i).data());
      sum += i + 1;
    }
  });
}

void KernelTriangles::multiply(ConstSpan a, Matrix& U) const {
  std::vector<Index> without;
  for (const Kernel& kernel : kernels_) {
    if (kernel.L.empty()) without.push_back(kernel.number);
  }
  Matrix others(length(without), n_);
  bank_.apply_each(without, a, others.values, context_);
  parallel_for(context_, length(kernels_), [&](Index k) {
    const Kernel& kernel = kernels_[static_cast<std::size_t>(k)];
    if (!kernel.L.empty()) multiply(kernel, a, U.row(k));
  });
  Index next = 0;
  for (Index k = 0; k < length(kernels_); ++k) {
    if (!kernels_[static_cast<std::size_t>(k)].L.empty()) continue;
    std::ranges::copy(std::as_const(others).row(next++), U.row(k).begin());
  }
}

void KernelTriangles::multiply(const Kernel& kernel, ConstSpan a, MutableSpan u) const {
  const Index rank = length(kernel.L) / n_;
  Vector on_columns(static_cast<std::size_t>(rank));
  for (Index c = 0; c < rank; ++c) {
    on_columns[static_cast<std::size_t>(c)] = simd::dot(kernel.L.data() + c * n_, a.data(), n_);
  }
  std::ranges::fill(u, 0.0);
  simd::add_rows(kernel.L.data(), n_, nullptr, on_columns.data(), rank, u.data(), n_);
}

}  // namespace kernmix
