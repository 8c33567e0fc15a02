#include "kernmix/kernel_similarity.hpp"

#include <algorithm>
#include <functional>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The kernels with the largest nonzero weights, in their order.
std::vector<Index> heaviest(ConstSpan weights, Index most) {
  std::vector<Index> order;
  for (Index m = 0; m < length(weights); ++m) {
    if (weights[to_size(m)] > 0.0) order.push_back(m);
  }
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](Index m) { return weights[to_size(m)]; });
  if (length(order) > most) order.resize(to_size(most));
  std::ranges::sort(order);
  return order;
}

/// H K H; 0 for a constant kernel up to rounding.
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
                                   Index most_kernels, const Context& context) {
  if (sources.size() != weights.size()) {
    throw ParameterError("kernel similarity: needs a weight for each kernel");
  }
  constexpr Index most_samples = 200;
  KernelSimilarity found;
  found.kernels = heaviest(weights, most_kernels);
  if (found.kernels.empty()) return found;
  const std::vector<KernelSourcePtr> chosen = entries_at(sources, found.kernels);
  const Vector own = entries_at(weights, found.kernels);
  const std::vector<Index> samples = spaced_samples(sources.front()->rows(), most_samples);
  const RowMatrix kernels = centred_kernels(chosen, samples, context);
  found.samples = length(samples);
  found.alignment = alignments_of(kernels);
  found.spectrum = spectrum_of(kernels, own, found.samples);
  return found;
}

}  // namespace kernmix
