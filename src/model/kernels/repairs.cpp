#include "model/kernels/repairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "kernel/row_products.hpp"
#include "kernmix/bank/checks.hpp"
#include "kernmix/error.hpp"
#include "model/kernels/tridiagonal.hpp"

namespace kernmix {
namespace {

/// Eigenvalues above -1e-8 times the size of the repaired matrix count as zero.
constexpr double kRounding = 1e-8;

/// Memory of the matrix, the copy for LAPACK, and the eigenvectors.
void require_room(Index n, const std::string& name, std::size_t held, const Context& context) {
  const std::size_t bytes = 3 * to_size(n * n) * sizeof(double) + held;
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("the repair of kernel '{}' takes {}, more than the budget of {} (--memory)", name,
                  memory_text(bytes), memory_text(context.memory_bytes)));
}

/// (K + K') / 2.
Eigen::MatrixXd symmetric_part(const KernelSource& source) {
  const std::vector<Index> all = all_samples(source.rows());
  Matrix values(source.rows(), source.rows());
  source.block(all, all, values.values);
  const auto K = as_matrix(std::as_const(values));
  return 0.5 * (K + K.transpose());
}

/// Whether the entries differ little from their mean, which normalizations remove
/// (docs/decisions/0021-variance.md).
bool is_nearly_constant(const Eigen::MatrixXd& K) {
  const double mean = K.mean();
  const double diagonal = K.trace() / static_cast<double>(K.rows());
  return std::abs(diagonal - mean) < 1e-2 * std::max(std::abs(diagonal), std::abs(mean));
}

/// What eigenvalues of the repaired matrix are compared with: the largest one, without that of the
/// constant part, and at least what rounding leaves.
double size_after(Repair rule, Eigen::VectorXd values, bool nearly_constant) {
  Index largest = 0;
  const double least = 1e-6 * values.cwiseAbs().maxCoeff(&largest);
  if (nearly_constant) values[largest] = 0.0;
  const double left = rule == Repair::clip ? values.maxCoeff() : values.cwiseAbs().maxCoeff();
  return std::max(left, least);
}

Index count_of_negative(const Eigen::VectorXd& values, double size) {
  const double limit = -kRounding * size;
  return std::ranges::count_if(values, [&](double value) { return value < limit; });
}

/// K - s N diag(l) N' with s = 1 for clip and 2 for flip, or K + |l_1| I.
void change(const LowestEigen& eigen, const FittedRepair& fitted, Matrix& values) {
  auto K = as_matrix(values);
  if (fitted.rule == Repair::shift) {
    K.diagonal().array() -= fitted.smallest;
    return;
  }
  const double times = fitted.rule == Repair::flip ? 2.0 : 1.0;
  const auto l = eigen.values.head(fitted.negative_count);
  const Eigen::MatrixXd scaled = eigen.vectors * (-times * l).asDiagonal();
  K.triangularView<Eigen::Lower>() += scaled * eigen.vectors.transpose();
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = i + 1; j < K.cols(); ++j) K(i, j) = K(j, i);
  }
}

/// Rows of new samples, P k, recomputed on each request: only the values of a block of rows with
/// all training samples are in memory.
class RepairedSource final : public KernelSource {
 public:
  RepairedSource(KernelSourcePtr fresh, const FittedRepair& fitted, std::vector<Index> columns)
      : fresh_(std::move(fresh)),
        negative_(fitted.negative),
        times_(fitted.rule == Repair::flip ? 2.0 : 1.0),
        columns_(std::move(columns)) {}

  Index rows() const override { return fresh_->rows(); }
  Index cols() const override { return length(columns_); }
  bool read_each_time() const override { return fresh_->read_each_time(); }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    constexpr Index band = 64;
    const std::vector<Index> all = all_samples(fresh_->cols());
    const std::vector<Index> wanted = entries_at(columns_, col_index);
    Matrix own(negative_.cols, length(wanted));
    for (Index s = 0; s < own.cols; ++s) {
      for (Index k = 0; k < own.rows; ++k) own(k, s) = times_ * negative_(wanted[to_size(s)], k);
    }
    Matrix whole(std::min(band, length(row_index)), fresh_->cols());
    for (Index begin = 0; begin < length(row_index); begin += band) {
      const Index end = std::min(begin + band, length(row_index));
      whole.rows = end - begin;
      whole.values.resize(to_size(whole.rows * whole.cols));
      fresh_->block(row_index.subspan(to_size(begin), to_size(end - begin)), all, whole.values);
      const Matrix taken = row_products(row_products(whole, negative_), own);
      for (Index i = 0; i < whole.rows; ++i) {
        for (std::size_t s = 0; s < wanted.size(); ++s) {
          out[to_size(begin + i) * wanted.size() + s] =
              whole(i, wanted[s]) - taken(i, static_cast<Index>(s));
        }
      }
    }
  }

  void left_diagonal(MutableSpan /*out*/) const override { refuse_diagonal(); }
  void right_diagonal(MutableSpan /*out*/) const override { refuse_diagonal(); }

 private:
  [[noreturn]] static void refuse_diagonal() {
    throw DataError(
        "a repaired matrix between new and training samples does not contain k(x, x): use a "
        "normalization other than cosine");
  }

  KernelSourcePtr fresh_;
  const Matrix& negative_;
  double times_;
  std::vector<Index> columns_;
};

}  // namespace

RepairedMatrix repair_training(const KernelSource& training, Repair rule, const std::string& name,
                               std::size_t held, const Context& context) {
  const SerialBlas serial;
  const Index n = training.rows();
  require_room(n, name, held, context);
  check_symmetric(training, name, context);
  Eigen::MatrixXd S = symmetric_part(training);
  RepairedMatrix repaired;
  FittedRepair& fitted = repaired.fitted;
  fitted.rule = rule;
  const bool nearly_constant = is_nearly_constant(S);
  const auto wanted = [&](const Eigen::VectorXd& values) {
    const double size = size_after(rule, values, nearly_constant);
    fitted.negative_count = count_of_negative(values, size);
    return rule == Repair::shift ? 0 : fitted.negative_count;
  };
  const LowestEigen eigen = lowest_eigen(S, wanted, [&] { stop_if_asked(context); });
  fitted.smallest = eigen.values[0];
  if (!fitted.changed()) return repaired;
  auto values = std::make_shared<Matrix>(n, n);
  as_matrix(*values) = S;
  change(eigen, fitted, *values);
  repaired.matrix = std::move(values);
  fitted.negative = Matrix(eigen.vectors.cols() > 0 ? n : 0, eigen.vectors.cols());
  as_matrix(fitted.negative) = eigen.vectors.topRows(fitted.negative.rows);
  return repaired;
}

KernelSourcePtr repaired_source(KernelSourcePtr fresh, const FittedRepair& fitted,
                                std::vector<Index> columns) {
  return std::make_shared<RepairedSource>(std::move(fresh), fitted, std::move(columns));
}

}  // namespace kernmix
