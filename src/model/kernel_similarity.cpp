#include "kernmix/kernel_similarity.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// H K H; 0 where only rounding is left of a constant kernel.
void centre(RowMatrix& K) {
  constexpr double rounding = 1e-12;
  const double before = K.norm();
  const Eigen::RowVectorXd columns = K.colwise().mean();
  K.rowwise() -= columns;
  const Eigen::VectorXd rows = K.rowwise().mean();
  K.colwise() -= rows;
  if (K.norm() <= rounding * before) K.setZero();
}

/// A row for each kernel: its centred matrix on some samples.
RowMatrix centred_kernels(const std::vector<KernelSourcePtr>& sources,
                          const std::vector<Index>& samples, const Context& context) {
  const Index s = length(samples);
  RowMatrix all(length(sources), s * s);
  parallel_for(context, length(sources), [&](Index k) {
    RowMatrix K(s, s);
    sources[to_size(k)]->block(samples, samples, as_span(K));
    centre(K);
    all.row(k) = Eigen::Map<const Eigen::RowVectorXd>(K.data(), s * s);
  });
  return all;
}

Matrix alignments_of(const RowMatrix& kernels) {
  const Index K = kernels.rows();
  const Eigen::VectorXd norms = kernels.rowwise().norm();
  const RowMatrix products = kernels * kernels.transpose();
  Matrix alignment(K, K);
  for (Index k = 0; k < K; ++k) {
    for (Index l = 0; l < K; ++l) {
      const double size = norms(k) * norms(l);
      alignment(k, l) = size > 0.0 ? std::clamp(products(k, l) / size, -1.0, 1.0) : 0.0;
    }
  }
  return alignment;
}

Vector spectrum_of(const RowMatrix& kernels, ConstSpan weights, Index samples) {
  const Eigen::RowVectorXd sum = as_vector(weights).transpose() * kernels;
  const Eigen::Map<const RowMatrix> K(sum.data(), samples, samples);
  const Eigen::MatrixXd symmetric = 0.5 * (K + K.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric, Eigen::EigenvaluesOnly);
  Vector values;
  double total = 0.0;
  for (Index i = samples - 1; i >= 0; --i) {
    values.push_back(std::max(0.0, solver.eigenvalues()(i)));
    total += values.back();
  }
  for (double& value : values) value = total > 0.0 ? value / total : 0.0;
  return values;
}

}  // namespace

KernelSimilarity kernel_similarity(const std::vector<KernelSourcePtr>& sources, ConstSpan weights,
                                   Index most_samples, const Context& context) {
  if (sources.empty() || sources.size() != weights.size() || most_samples < 2) {
    throw ParameterError("kernel similarity: needs kernels, a weight for each, and two samples");
  }
  const std::vector<Index> samples = spaced_samples(sources.front()->rows(), most_samples);
  const RowMatrix kernels = centred_kernels(sources, samples, context);
  return {length(samples), alignments_of(kernels), spectrum_of(kernels, weights, length(samples))};
}

}  // namespace kernmix
