#include "svm/newton/conjugate_gradients.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace kernmix {
namespace {

/// Random vectors of the sketch: twice as many save a third of the iterations, and cost as much.
constexpr Index kSketch = 128;
constexpr Index kMostRows = 8192;
constexpr Index kRowsAtOnce = 256;
constexpr Index kMostIterations = 200;
constexpr Index kMostParts = 8;

/// Y'Y Omega, and the diagonal of Y'Y.
struct GramSketch {
  RowMatrix product;
  Eigen::VectorXd diagonal;

  GramSketch& operator+=(const GramSketch& other) {
    product += other.product;
    diagonal += other.diagonal;
    return *this;
  }
};

/// Of rows begin, ..., end - 1 of Y, each times `stride`.
GramSketch sketch_of_rows(const CentredRows& Y, Index begin, Index end, Index stride,
                          const RowMatrixF& Omega) {
  RowMatrixF product = RowMatrixF::Zero(Y.cols(), Omega.cols());
  Eigen::VectorXf diagonal = Eigen::VectorXf::Zero(Y.cols());
  for (; begin < end; begin += kRowsAtOnce) {
    const RowMatrixF rows = Y.rows(begin, std::min(begin + kRowsAtOnce, end), stride).cast<float>();
    product.noalias() += rows.transpose() * RowMatrixF(rows * Omega);
    diagonal += rows.colwise().squaredNorm().transpose();
  }
  return {product.cast<double>(), diagonal.cast<double>()};
}

/// Parts of the rows, added in order. Single precision and evenly spaced rows are enough for a
/// preconditioner.
GramSketch sketch_of(const CentredRows& Y, const RowMatrixF& Omega, const Context& context) {
  constexpr Index rows_of_a_part = 1024;
  const Index stride = blocks_of(Y.count(), kMostRows);
  const Index rows = blocks_of(Y.count(), stride);
  GramSketch sum = sum_of_ranges(
      context, rows, ranges_of(rows, rows_of_a_part, kMostParts),
      [&](Index begin, Index end) { return sketch_of_rows(Y, begin, end, stride, Omega); });
  const double share = static_cast<double>(rows) / static_cast<double>(Y.count());
  sum.product /= share;
  sum.diagonal /= share;
  return sum;
}

}  // namespace

SketchedSystem::SketchedSystem(const CentredRows& Y, const Context& context) {
  constexpr double rounding = 1e-6;  // of single precision
  RowMatrixF Omega(Y.cols(), std::min(kSketch, Y.cols()));
  fill_with_signs(std::span(Omega.data(), to_size(Omega.size())));
  const GramSketch sketch = sketch_of(Y, Omega, context);
  RowMatrix core = Omega.cast<double>().transpose() * sketch.product;
  core = (0.5 * (core + core.transpose())).eval();
  core.diagonal().array() += std::max(rounding * core.diagonal().maxCoeff(), 1e-300);
  const Eigen::LLT<RowMatrix> root(core);
  if (root.info() == Eigen::Success) {
    G_ = root.matrixL().solve(sketch.product.transpose()).transpose();
  } else {
    G_ = Eigen::MatrixXd::Zero(Y.cols(), Omega.cols());
  }
  D_ = 1.0 + (sketch.diagonal - G_.rowwise().squaredNorm()).cwiseMax(0.0).array();
  RowMatrix S = G_.transpose() * D_.cwiseInverse().asDiagonal() * G_;
  S.diagonal().array() += 1.0;
  core_.compute(S);
}

Eigen::VectorXd SketchedSystem::solve(const Eigen::VectorXd& b) const {
  const Eigen::VectorXd x = b.cwiseQuotient(D_);
  return x - (G_ * core_.solve(G_.transpose() * x)).cwiseQuotient(D_);
}

Eigen::VectorXd conjugate_gradients(const CentredRows& Y, const SketchedSystem& preconditioner,
                                    const Eigen::VectorXd& b, double accuracy,
                                    const Context& context) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size());
  Eigen::VectorXd residual = b;
  Eigen::VectorXd step = preconditioner.solve(residual);
  double square = residual.dot(step);
  const double enough = accuracy * accuracy * square;
  for (Index k = 0; k < kMostIterations && square > enough && !context.should_stop(); ++k) {
    const Eigen::VectorXd product = Y.identity_plus_gram_times(step, context);
    const double length = square / step.dot(product);
    x += length * step;
    residual -= length * product;
    const Eigen::VectorXd next = preconditioner.solve(residual);
    const double before = std::exchange(square, residual.dot(next));
    step = next + square / before * step;
  }
  return x;
}

std::size_t conjugate_gradients_bytes(Index r, const Context& context) {
  const auto sketch = to_size(std::min(kSketch, r) * r);
  const auto rows = to_size(kRowsAtOnce * r);
  const auto at_once = to_size(std::min<Index>(context.workers(), kMostParts));
  return sketch * (sizeof(float) + 3 * sizeof(double)) +
         to_size(kMostParts) * sketch * sizeof(double) +
         at_once * (sketch * sizeof(float) + rows * (sizeof(float) + sizeof(double)));
}

}  // namespace kernmix
