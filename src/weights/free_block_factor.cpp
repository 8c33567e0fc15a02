#include "weights/free_block_factor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kernmix {
namespace {

/// The ridge relative to the mean diagonal of the kernel alone, because the curvature of a loss is
/// unbounded near the edge of its box.
constexpr double kRidge = 1e-10;

std::optional<Cholesky> cholesky_of_free_block(const Problem& problem, ConstSpan d,
                                               const std::vector<Index>& free,
                                               const Vector& curvature, const Context& context) {
  const Index f = length(free);
  RowMatrix S(f, f);
  problem.bank.combined(d)->matrix(free, as_span(S), context);
  const double mean = mean_of_diagonal(S);
  S.diagonal() += as_vector(curvature);
  if (problem.bias == Bias::penalised) S.array() += 1.0;
  return cholesky_with_ridge(std::move(S), {kRidge * mean, 100.0 * kRidge * mean, 100.0}, context);
}

/// The number of constant columns appended to Z.
Index constants(const Problem& problem) { return problem.bias == Bias::penalised ? 1 : 0; }

/// The rows of Z at the free samples, with a column of ones if the bias is penalised. If Z was
/// computed here, it is released on return.
Eigen::MatrixXd free_rows(const Problem& problem, ConstSpan d, const std::vector<Index>& free,
                          const WeightedColumns* factor, const Context& context) {
  if (factor != nullptr) {
    Eigen::MatrixXd rows(length(free), factor->cols());
    Vector row(to_size(factor->cols()));
    for (Index k = 0; k < rows.rows(); ++k) {
      factor->copy_row(free[to_size(k)], row.data());
      rows.row(k) = as_vector(ConstSpan(row)).transpose();
    }
    return rows;
  }
  const Matrix Z = problem.bank.combined(d)->factor(context);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Ones(length(free), Z.cols + constants(problem));
  rows.leftCols(Z.cols) = as_matrix(Z)(free, Eigen::indexing::all);
  return rows;
}

}  // namespace

Vector free_curvature(const Problem& problem, ConstSpan a, const FreeSet& free) {
  const Vector all = dual_curvature(problem.loss, problem.y(), a, problem.C());
  Vector curvature;
  for (const Index i : free.samples) curvature.push_back(all[static_cast<std::size_t>(i)]);
  for (std::size_t k = 0; k < free.softness.size(); ++k) curvature[k] += free.softness[k];
  return curvature;
}

std::optional<DenseWhitening> DenseWhitening::of(const Problem& problem, ConstSpan d,
                                                 const std::vector<Index>& free,
                                                 const Vector& curvature, const Context& context) {
  auto factor = cholesky_of_free_block(problem, d, free, curvature, context);
  if (!factor) return std::nullopt;
  return DenseWhitening(std::move(*factor));
}

std::optional<RoundedWhitening> RoundedWhitening::of(RowMatrixF S, const Context& context) {
  constexpr double kRounding = 1e-6;  // rounding of a sum of entries with relative errors of 2^-24
  const double mean = mean_of_diagonal(S);
  auto factor = cholesky_with_ridge<float>(
      std::move(S), {kRounding * mean, 10.0 * kRounding * mean, 10.0}, context);
  if (!factor) return std::nullopt;
  return RoundedWhitening(std::move(*factor));
}

void RoundedWhitening::apply(Eigen::MatrixXd& U) const {
  Eigen::MatrixXf rounded = U.cast<float>();
  factor_.solve_half_in_place(rounded);
  U = rounded.cast<double>();
}

void RoundedWhitening::solve(Eigen::MatrixXd& B) const {
  Eigen::MatrixXf rounded = B.cast<float>();
  factor_.solve_in_place(rounded);
  B = rounded.cast<double>();
}

std::optional<FactorWhitening> FactorWhitening::of(const Problem& problem, ConstSpan d,
                                                   const std::vector<Index>& free,
                                                   const Vector& curvature,
                                                   const WeightedColumns* factor,
                                                   const Context& context) {
  Eigen::MatrixXd rows = free_rows(problem, d, free, factor, context);
  const Index columns = rows.cols() - constants(problem);
  const double mean = rows.leftCols(columns).squaredNorm() / static_cast<double>(rows.rows());
  const double ridge = kRidge * std::max(mean, 1e-300);
  Eigen::VectorXd scale = (as_vector(curvature).array() + ridge).rsqrt();
  rows.array().colwise() *= scale.array();
  Qr qr(std::move(rows));
  const Eigen::MatrixXd R = qr.R();
  auto core = Cholesky::of(RowMatrix::Identity(R.rows(), R.rows()) + R * R.transpose());
  if (!core) return std::nullopt;
  return FactorWhitening(std::move(scale), std::move(qr), std::move(*core));
}

void FactorWhitening::apply(Eigen::MatrixXd& U) const {
  U.array().colwise() *= scale_.array();
  qr_.apply_transposed(U);
  core_.solve_half_in_place(U.topRows(core_.size()));
}

void FactorWhitening::solve(Eigen::MatrixXd& B) const {
  B.array().colwise() *= scale_.array();
  qr_.apply_transposed(B);
  core_.solve_in_place(B.topRows(core_.size()));
  qr_.apply(B);
  B.array().colwise() *= scale_.array();
}

std::optional<FreeBlockFactor> FreeBlockFactor::of(const Problem& problem, const Point& point,
                                                   const FreeSet& free, CachedHessian known,
                                                   const Context& context) {
  const auto chosen = [](auto method) -> std::optional<FreeBlockFactor> {
    if (!method) return std::nullopt;
    return FreeBlockFactor(std::move(*method));
  };
  if (known.hessian.size() > 0) {
    if (!free.softness.empty()) {
      known.hessian.diagonal() += as_vector(ConstSpan(free.softness)).cast<float>();
    }
    return chosen(RoundedWhitening::of(std::move(known.hessian), context));
  }
  const Vector curvature = free_curvature(problem, point.a, free);
  const Index at_most = problem.bank.combined(point.d)->columns();
  const Index columns = known.factor != nullptr ? known.factor->cols() : at_most + 1;
  if (at_most >= 0 && columns < length(free.samples)) {
    return chosen(
        FactorWhitening::of(problem, point.d, free.samples, curvature, known.factor, context));
  }
  const bool on_factor = known.factor != nullptr;
  if (!has_room_for_block<double>(problem, length(free.samples), context, on_factor)) {
    return std::nullopt;
  }
  return chosen(DenseWhitening::of(problem, point.d, free.samples, curvature, context));
}

}  // namespace kernmix
