#include "model/landmarks/pivoting.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/alike.hpp"

namespace kernmix {
namespace {

constexpr Index rows_of_pivot_block = 256;
constexpr Index proposals_at_once = 64;
/// What single precision leaves of a diagonal.
constexpr double pivot_rounding = 4e-6;

/// S = sum_m K_m / trace K_m, times n.
class MeanKernel {
 public:
  explicit MeanKernel(const std::vector<KernelSourcePtr>& kernels)
      : kernels_(kernels),
        n_(kernels.front()->rows()),
        groups_(alike(all_samples(length(kernels)),
                      [&](Index m) -> const KernelSource& { return *kernels[to_size(m)]; })),
        diagonal_(to_size(n_), 0.0) {
    Vector own(diagonal_.size());
    for (const KernelSourcePtr& kernel : kernels) {
      kernel->left_diagonal(own);
      const double trace = as_vector(ConstSpan(own)).sum();
      factors_.push_back(trace > 0.0 ? static_cast<double>(n_) / trace : 0.0);
      as_vector(MutableSpan(diagonal_)) += factors_.back() * as_vector(ConstSpan(own));
    }
  }

  [[nodiscard]] const Vector& diagonal() const { return diagonal_; }

  /// S[rows, cols]
  void block(std::span<const Index> rows, std::span<const Index> cols, RowMatrix& out) const {
    out.setZero();
    RowMatrix compared(out.rows(), out.cols());
    RowMatrix entries(out.rows(), out.cols());
    for (const std::vector<Index>& group : groups_) {
      kernel(group.front()).compare(rows, cols, as_span(compared));
      for (const Index m : group) {
        entries = compared;
        kernel(m).finish(rows, cols, as_span(entries));
        out += factors_[to_size(m)] * entries;
      }
    }
  }

 private:
  [[nodiscard]] const KernelSource& kernel(Index m) const { return *kernels_[to_size(m)]; }

  const std::vector<KernelSourcePtr>& kernels_;
  Index n_;
  std::vector<std::vector<Index>> groups_;
  Vector factors_;
  Vector diagonal_;
};

/// The factorisation while it grows: S ~ F F' on the pivots.
class Pivoting {
 public:
  Pivoting(const std::vector<KernelSourcePtr>& kernels, Index most, const Context& context)
      : S_(kernels),
        most_(most),
        context_(context),
        residual_(S_.diagonal()),
        F_(kernels.front()->rows(), most),
        engine_(context.seed) {}

  std::vector<Index> run() {
    const SerialBlas serial;
    while (length(pivots_) < most_) {
      stop_if_asked(context_);
      const std::vector<Index> proposed = propose();
      if (proposed.empty()) break;
      accept(proposed);
      context_.report({"landmarks", length(pivots_), most_, 1.0});
    }
    std::ranges::sort(pivots_);
    return pivots_;
  }

 private:
  /// In [0, 1), the same everywhere.
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  std::vector<Index> propose();
  void accept(const std::vector<Index>& proposed);
  void extend(const std::vector<Index>& accepted, const RowMatrix& G);

  MeanKernel S_;
  Index most_;
  const Context& context_;
  Vector residual_;
  RowMatrixF F_;
  std::mt19937_64 engine_;
  std::vector<Index> pivots_;
};

/// Draws with replacement in proportion to the residual; none where nothing is left.
std::vector<Index> Pivoting::propose() {
  Vector cumulated;
  cumulated.reserve(residual_.size());
  double sum = 0.0;
  for (const double own : residual_) cumulated.push_back(sum += own);
  std::vector<Index> proposed;
  for (Index k = 0; k < proposals_at_once && sum > 0.0; ++k) {
    const auto at = std::ranges::upper_bound(cumulated, uniform() * sum);
    proposed.push_back(std::min<Index>(at - cumulated.begin(), length(cumulated) - 1));
  }
  return proposed;
}

/// Each proposal is taken with the share of its residual that the ones before it in the block have
/// left, so that those taken are distributed as if drawn one after another.
void Pivoting::accept(const std::vector<Index>& proposed) {
  const Index b = length(proposed);
  const auto k = length(pivots_);
  RowMatrix H(b, b);
  S_.block(proposed, proposed, H);
  RowMatrix rows(b, k);
  for (Index i = 0; i < b; ++i) {
    rows.row(i) = F_.row(proposed[to_size(i)]).head(k).cast<double>();
  }
  H.noalias() -= rows * rows.transpose();
  const Eigen::VectorXd before = H.diagonal();
  RowMatrix G = RowMatrix::Zero(b, b);  // columns of the ones taken
  std::vector<Index> taken;
  for (Index i = 0; i < b && k + length(taken) < most_; ++i) {
    const Index at = proposed[to_size(i)];
    const double left = before[i] - G.row(i).squaredNorm();
    const double least = pivot_rounding * S_.diagonal()[to_size(at)];
    const double share = uniform();
    if (left <= least || share * std::max(before[i], least) > left) continue;
    const Index c = length(taken);
    const Eigen::VectorXd column = (H.col(i) - G.leftCols(c) * G.row(i).head(c).transpose()).eval();
    G.col(c).tail(b - i) = column.tail(b - i) / std::sqrt(left);
    taken.push_back(i);
  }
  RowMatrix lower(length(taken), length(taken));
  std::vector<Index> accepted;
  for (Index i = 0; i < length(taken); ++i) {
    lower.row(i) = G.row(taken[to_size(i)]).head(length(taken));
    accepted.push_back(proposed[to_size(taken[to_size(i)])]);
  }
  if (accepted.empty()) {  // what rounding has left
    for (const Index i : proposed) residual_[to_size(i)] = 0.0;
    return;
  }
  extend(accepted, lower);
}

/// The columns of F that belong to the new pivots: (S[:, B] - F F_B') G^-T, G G' the residual
/// there.
void Pivoting::extend(const std::vector<Index>& accepted, const RowMatrix& G) {
  const auto k = length(pivots_);
  const Index b = length(accepted);
  RowMatrixF rows(b, k);
  for (Index i = 0; i < b; ++i) rows.row(i) = F_.row(accepted[to_size(i)]).head(k);
  parallel_blocks(context_, F_.rows(), rows_of_pivot_block, [&](Index, Index begin, Index end) {
    const std::vector<Index> samples = index_range(begin, end);
    RowMatrix entries(end - begin, b);
    S_.block(samples, accepted, entries);
    const RowMatrixF old = F_.block(begin, 0, end - begin, k) * rows.transpose();
    entries -= old.cast<double>();
    Eigen::Map<Eigen::MatrixXd> columns(entries.data(), b, end - begin);
    G.triangularView<Eigen::Lower>().solveInPlace(columns);
    F_.block(begin, k, end - begin, b) = entries.cast<float>();
    for (Index i = begin; i < end; ++i) {
      const auto at = to_size(i);
      residual_[at] -= entries.row(i - begin).squaredNorm();
      if (residual_[at] <= pivot_rounding * S_.diagonal()[at]) residual_[at] = 0.0;
    }
  });
  for (const Index p : accepted) residual_[to_size(p)] = 0.0;
  pivots_.insert(pivots_.end(), accepted.begin(), accepted.end());
}

}  // namespace

std::vector<Index> random_pivots(const std::vector<KernelSourcePtr>& kernels, Index R,
                                 const Context& context) {
  const Index n = kernels.front()->rows();
  if (R >= n) return all_samples(n);
  return Pivoting(kernels, R, context).run();
}

}  // namespace kernmix
