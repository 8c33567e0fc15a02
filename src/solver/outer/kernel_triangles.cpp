#include "solver/outer/kernel_triangles.hpp"

#include <algorithm>

#include "kernel/bank/simd.hpp"
#include "parallel.hpp"

namespace kernmix {

void KernelTriangles::append(const std::vector<Index>& kernels) {
  const auto entries = static_cast<std::size_t>(packed_size(n_));
  std::vector<std::span<float>> out;
  for (Packed<float>& triangle : Packed<float>::several(n_, length(kernels))) {
    out.emplace_back(triangle.values.get(), entries);
    triangles_.push_back(std::move(triangle));
  }
  bank_.triangles(kernels, out, context_);
}

void KernelTriangles::keep(const std::vector<Index>& places) {
  std::vector<Packed<float>> kept;
  for (const Index k : places) kept.push_back(std::move(triangles_[static_cast<std::size_t>(k)]));
  triangles_ = std::move(kept);
}

void KernelTriangles::combine(const Eigen::ArrayXd& d, RowMatrix& out) const {
  constexpr Index rows_per_task = 16;
  constexpr Index together = 4;
  out.resize(n_, n_);
  parallel_blocks(context_, n_, rows_per_task, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* sum = out.row(i).data();
      std::fill_n(sum, i + 1, 0.0);
      const auto row = [&](Index k) { return triangles_[static_cast<std::size_t>(k)].row(i); };
      Index k = 0;
      for (; k + together <= d.size(); k += together) {
        simd::add_scaled({d[k], d[k + 1], d[k + 2], d[k + 3]},
                         {row(k), row(k + 1), row(k + 2), row(k + 3)}, sum, i + 1);
      }
      for (; k < d.size(); ++k) simd::add_scaled(d[k], row(k), sum, i + 1);
    }
  });
}

}  // namespace kernmix
