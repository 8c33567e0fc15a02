#include <algorithm>
#include <array>
#include <utility>

#include "base/samples.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

class DistanceKernelSource final : public KernelSource {
 public:
  DistanceKernelSource(KernelSourcePtr source, double shift)
      : source_(std::move(source)),
        shift_(shift),
        left_(to_size(source_->rows())),
        right_(to_size(source_->cols())) {
    source_->left_diagonal(left_);
    source_->right_diagonal(right_);
  }

  Index rows() const override { return source_->rows(); }
  Index cols() const override { return source_->cols(); }
  bool definite_on_differences_only() const override { return true; }
  bool is_repairable() const override { return source_->is_repairable(); }
  bool read_each_time() const override { return source_->read_each_time(); }
  std::size_t bytes() const override {
    return source_->bytes() + (left_.size() + right_.size()) * sizeof(double);
  }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    source_->block(row_index, col_index, out);
    double* entry = out.data();
    for (const Index i : row_index) {
      const double left = left_[to_size(i)];
      for (const Index j : col_index) {
        const double right = right_[to_size(j)];
        *entry = shift_ - (left + right - 2.0 * *entry);
        ++entry;
      }
    }
  }

  void left_diagonal(MutableSpan out) const override { std::ranges::fill(out, shift_); }
  void right_diagonal(MutableSpan out) const override { std::ranges::fill(out, shift_); }

 private:
  KernelSourcePtr source_;
  double shift_;
  Vector left_;   ///< k(x, x)
  Vector right_;  ///< k(z, z)
};

/// max_i |phi(x_i) - phi(x_1)|^2
double farthest_from_first(const KernelSourcePtr& source) {
  const auto negative = distance_source(source, 0.0);
  const std::vector<Index> all = all_samples(source->cols());
  Vector row(all.size());
  negative->block(std::array<Index, 1>{0}, all, row);
  return -*std::ranges::min_element(row);
}

/// The rounding of |phi(x) - phi(z)|^2 is that of k(x, x), which it is computed from. A shift of at
/// least this share of it keeps shift - D positive semidefinite where all distances are rounding.
constexpr double least_share = 1e-2;

double largest_diagonal(const KernelSourcePtr& source) {
  Vector diagonal(to_size(source->rows()));
  source->left_diagonal(diagonal);
  return *std::ranges::max_element(diagonal);
}

}  // namespace

KernelSourcePtr distance_source(KernelSourcePtr source, double shift) {
  return std::make_shared<DistanceKernelSource>(std::move(source), shift);
}

DistanceKernels distance_kernels(const std::vector<KernelSourcePtr>& sources) {
  // a'Da / 2 is the variance of phi under a, bounded by the mean squared distance to any point.
  DistanceKernels result;
  for (const KernelSourcePtr& source : sources) {
    result.shift = std::max(
        {result.shift, 2.0 * farthest_from_first(source), least_share * largest_diagonal(source)});
  }
  for (const KernelSourcePtr& source : sources) {
    result.sources.push_back(distance_source(source, result.shift));
  }
  return result;
}

}  // namespace kernmix
