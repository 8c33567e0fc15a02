#include "model/kernels/repairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/blas_threads.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/checks.hpp"
#include "kernmix/error.hpp"
#include "model/kernels/tridiagonal.hpp"

namespace kernmix {
namespace {

/// Eigenvalues above -1e-8 of the largest are zero but for rounding, as the test for definiteness
/// has it.
constexpr double kRounding = 1e-8;

/// The matrix, what LAPACK makes of it, and its eigenvectors.
void require_room(Index n, const std::string& name, std::size_t held, const Context& context) {
  const std::size_t bytes = 3 * to_size(n * n) * sizeof(double) + held;
  if (context.memory_bytes == 0 || bytes <= context.memory_bytes) return;
  throw ResourceError(fmt::format(
      "to repair kernel '{}' takes {:.3g} MiB, more than the budget of {:.3g} MiB (--memory)", name,
      static_cast<double>(bytes) / 0x1p20, static_cast<double>(context.memory_bytes) / 0x1p20));
}

/// (K + K') / 2.
Eigen::MatrixXd symmetric_part(const KernelSource& source) {
  const std::vector<Index> all = all_samples(source.rows());
  Matrix values(source.rows(), source.rows());
  source.block(all, all, values.values);
  const auto K = as_matrix(std::as_const(values));
  return 0.5 * (K + K.transpose());
}

Index count_of_negative(const Eigen::VectorXd& values) {
  const double limit = -kRounding * values.cwiseAbs().maxCoeff();
  return std::ranges::count_if(values, [&](double value) { return value < limit; });
}

/// K - s N diag(l) N' with s = 1 of clipping and 2 of flipping, or K + |l_1| I.
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
  const auto wanted = [&](const Eigen::VectorXd& values) {
    fitted.negative_count = count_of_negative(values);
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

KernelSourcePtr repaired_source(const KernelSource& fresh, const FittedRepair& fitted,
                                std::span<const Index> columns) {
  constexpr Index band = 64;
  const SerialBlas serial;
  const double times = fitted.rule == Repair::flip ? 2.0 : 1.0;
  const std::vector<Index> rows = all_samples(fresh.rows());
  const std::vector<Index> all = all_samples(fresh.cols());
  const auto N = as_matrix(fitted.negative);
  RowMatrix own(length(columns), N.cols());
  for (Index s = 0; s < own.rows(); ++s) own.row(s) = times * N.row(columns[to_size(s)]);
  auto values = std::make_shared<Matrix>(fresh.rows(), length(columns));
  for (Index begin = 0; begin < fresh.rows(); begin += band) {
    const Index end = std::min(begin + band, fresh.rows());
    Matrix whole(end - begin, fresh.cols());
    fresh.block(slice(rows, begin, end), all, whole.values);
    const auto K = as_matrix(std::as_const(whole));
    auto out = as_matrix(*values).middleRows(begin, end - begin);
    for (Index s = 0; s < out.cols(); ++s) out.col(s) = K.col(columns[to_size(s)]);
    out -= (K * N) * own.transpose();
  }
  return matrix_source({"precomputed", {}}, std::shared_ptr<const Matrix>(std::move(values)));
}

}  // namespace kernmix
