#include "weights/kernel_triangles.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/simd.hpp"

namespace kernmix {

const Packed<float>* KernelTriangles::at_hand(Index m) const {
  const Packed<float>* triangle = known_.find(m);
  return triangle != nullptr ? triangle : bank_.stored_triangle(m);
}

std::vector<Packed<float>> KernelTriangles::blank(Index count) {
  const Index left = std::min(count, length(spare_));
  std::vector<Packed<float>> triangles(spare_.end() - left, spare_.end());
  spare_.erase(spare_.end() - left, spare_.end());
  std::ranges::move(Packed<float>::several(n_, count - left), std::back_inserter(triangles));
  return triangles;
}

std::vector<Packed<float>> KernelTriangles::triangles(
    const std::vector<Index>& kernels, const std::vector<std::vector<float>>& factors) {
  const auto is_new = [&](Index m) { return at_hand(m) == nullptr; };
  std::vector<Packed<float>> made = blank(std::ranges::count_if(kernels, is_new));
  std::vector<Packed<float>> all;
  std::vector<Index> without;  // a factor
  std::vector<std::span<float>> out;
  std::vector<std::pair<std::size_t, std::span<float>>> products;  // place of the factor
  std::size_t next = 0;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    all.push_back(is_new(kernels[k]) ? made[next++] : *at_hand(kernels[k]));
    if (!is_new(kernels[k])) continue;
    const std::span entries(all.back().values.get(), static_cast<std::size_t>(packed_size(n_)));
    if (!factors[k].empty()) {
      products.emplace_back(k, entries);
    } else {
      without.push_back(kernels[k]);
      out.push_back(entries);
    }
  }
  bank_.triangles(without, out, context_);
  parallel_for(context_, length(products), [&](Index task) {
    const auto& [k, entries] = products[static_cast<std::size_t>(task)];
    pack_product(factors[k], n_, entries);
  });
  for (std::size_t k = 0; k < kernels.size(); ++k) known_.add(kernels[k], all[k], context_);
  return all;
}

void KernelTriangles::append(const std::vector<Index>& kernels) {
  const SerialBlas serial;
  std::vector<std::vector<float>> factors = bank_.single_factors(kernels, context_);
  std::vector<Packed<float>> entries = triangles(kernels, factors);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    kernels_.push_back({kernels[k], std::move(entries[k]), std::move(factors[k])});
  }
}

void KernelTriangles::keep(const std::vector<Index>& places) {
  std::vector<Kernel> kept;
  auto next = places.begin();
  for (Index k = 0; k < length(kernels_); ++k) {
    Kernel& kernel = kernels_[static_cast<std::size_t>(k)];
    if (next != places.end() && *next == k) {
      kept.push_back(std::move(kernel));
      ++next;
    } else if (at_hand(kernel.number) == nullptr) {
      spare_.push_back(std::move(kernel.triangle));
    }
  }
  kernels_ = std::move(kept);
}

void KernelTriangles::combine(const Eigen::ArrayXd& d, RowMatrix& out) const {
  constexpr Index sums_at_once = 4096;  // stay in the first cache while the kernels pass by
  out.resize(n_, n_);
  const Index rows_per_task = std::max<Index>(sums_at_once / n_, 1);
  parallel_blocks(context_, n_, rows_per_task, [&](Index, Index begin, Index end) {
    Vector sums(static_cast<std::size_t>(packed_size(end) - packed_size(begin)), 0.0);
    const auto rows = [&](Index k) {
      return kernels_[static_cast<std::size_t>(k)].triangle.row(begin);
    };
    const auto weight = [&](Index k) { return d[k]; };
    simd::add_scaled_rows<float>(d.size(), rows, weight, sums.data(), length(sums));
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
