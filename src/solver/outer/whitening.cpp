#include "solver/outer/whitening.hpp"

#include <algorithm>
#include <cmath>

#include "cholesky.hpp"

namespace kernmix {
namespace {

/// Relative to the kernel alone: near the edge of its box the curvature of a loss has no bound.
constexpr double kRidge = 1e-10;

/// -gain'' of the free samples.
Vector free_curvature(Run& run, const Point& point) {
  const Problem& problem = run.problem();
  const Vector all = dual_curvature(problem.loss, problem.y, point.a, problem.C);
  Vector curvature;
  for (const Index i : point.free) curvature.push_back(all[static_cast<std::size_t>(i)]);
  return curvature;
}

Eigen::LLT<RowMatrix> cholesky_of_free_block(Run& run, const Point& point,
                                             const Vector& curvature) {
  const Index f = length(point.free);
  Matrix block(f, f);
  run.problem().bank.combine_block(point.d, point.free, block.values, run.context());
  auto S = as_matrix(block);
  const double mean = std::max(S.trace() / static_cast<double>(f), 1e-300);
  S.diagonal() += as_vector(curvature);
  if (run.problem().bias == Bias::penalised) S.array() += 1.0;
  return cholesky_with_ridge<RowMatrix>(S, {kRidge * mean, 100.0 * kRidge * mean, 100.0});
}

/// Rows of Z, with a column of ones where the bias is penalised.
Eigen::MatrixXd free_rows(const Matrix& Z, const std::vector<Index>& free, Bias bias) {
  const Index constant = bias == Bias::penalised ? 1 : 0;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Ones(length(free), Z.cols + constant);
  rows.leftCols(Z.cols) = as_matrix(Z)(free, Eigen::all);
  return rows;
}

std::variant<DenseWhitening, FactorWhitening> whitening_for(Run& run, const Point& point) {
  const Vector curvature = free_curvature(run, point);
  const Index columns = run.problem().bank.factor_columns(point.d);
  if (columns >= 0 && columns + 1 < length(point.free)) {
    return FactorWhitening(run, point, curvature);
  }
  return DenseWhitening(run, point, curvature);
}

}  // namespace

DenseWhitening::DenseWhitening(Run& run, const Point& point, const Vector& curvature)
    : factor_(cholesky_of_free_block(run, point, curvature)) {}

FactorWhitening::FactorWhitening(Run& run, const Point& point, const Vector& curvature) {
  const Problem& problem = run.problem();
  const Matrix Z = problem.bank.combined_factor(point.d, run.context());
  Eigen::MatrixXd rows = free_rows(Z, point.free, problem.bias);
  const double mean = rows.leftCols(Z.cols).squaredNorm() / static_cast<double>(rows.rows());
  const double ridge = kRidge * std::max(mean, 1e-300);
  scale_ = (as_vector(curvature).array() + ridge).rsqrt();
  rows.array().colwise() *= scale_.array();
  qr_.compute(rows);
  const Index r = rows.cols();
  const Eigen::MatrixXd R = qr_.matrixQR().topRows(r).triangularView<Eigen::Upper>();
  core_.compute(Eigen::MatrixXd::Identity(r, r) + R * R.transpose());
}

void FactorWhitening::apply(Eigen::MatrixXd& U) const {
  U.array().colwise() *= scale_.array();
  U.applyOnTheLeft(qr_.householderQ().adjoint());
  auto top = U.topRows(core_.rows());
  core_.matrixL().solveInPlace(top);
}

Whitening::Whitening(Run& run, const Point& point) : method_(whitening_for(run, point)) {}

}  // namespace kernmix
