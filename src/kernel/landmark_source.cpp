#include "kernel/landmark_source.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The smallest jitter with which rounding leaves A positive definite: the factorisation of R
/// columns is off by about R u trace A (Higham, Accuracy and Stability of Numerical Algorithms,
/// 2002, theorem 10.3).
double first_jitter(const RowMatrix& K) {
  const double trace = K.trace();
  const double least = static_cast<double>(K.rows()) * std::numeric_limits<double>::epsilon();
  return trace > 0.0 ? least * trace : 1.0;
}

/// Samples whose diagonal is computed at a time.
constexpr Index samples_of_a_diagonal = 256;

}  // namespace

LandmarkSource::LandmarkSource(KernelSourcePtr exact, std::vector<Index> landmarks) {
  const SerialBlas serial;
  constexpr int most_trials = 30;
  constexpr double growth = 10.0;
  const Index R = length(landmarks);
  RowMatrix K(R, R);
  exact->block(landmarks, landmarks, as_span(K));
  if (!K.allFinite()) throw DataError("an entry between two landmarks is not finite");
  K = (0.5 * (K + K.transpose())).eval();
  double jitter = first_jitter(K);
  for (int trial = 0; trial < most_trials; ++trial, jitter *= growth) {
    RowMatrix A = K;
    A.diagonal().array() += jitter;
    const Eigen::LLT<RowMatrix> factored(A);
    if (factored.info() != Eigen::Success) continue;
    RowMatrix L = factored.matrixL();
    core_ = std::make_shared<const Core>(
        Core{std::move(exact), std::move(landmarks), jitter, std::move(A), std::move(L)});
    return;
  }
  throw DataError("the kernel between the landmarks is not positive semidefinite");
}

std::shared_ptr<const LandmarkSource> LandmarkSource::on_samples(std::vector<Index> samples) const {
  return std::shared_ptr<const LandmarkSource>(new LandmarkSource(core_, places(samples)));
}

std::vector<Index> LandmarkSource::places(std::span<const Index> index) const {
  return samples_.empty() ? std::vector<Index>(index.begin(), index.end())
                          : entries_at(samples_, index);
}

Index LandmarkSource::rows() const {
  return samples_.empty() ? core_->exact->rows() : length(samples_);
}

void LandmarkSource::solve(Eigen::MatrixXd& B) const {
  core_->L.triangularView<Eigen::Lower>().solveInPlace(B);
  core_->L.transpose().triangularView<Eigen::Upper>().solveInPlace(B);
}

void LandmarkSource::cross(std::span<const Index> rows, MutableSpan out) const {
  core_->exact->block(places(rows), core_->landmarks, out);
}

void LandmarkSource::factor(std::span<const Index> rows, MutableSpan out) const {
  cross(rows, out);
  Eigen::Map<Eigen::MatrixXd> F(out.data(), columns(), length(rows));
  core_->L.triangularView<Eigen::Lower>().solveInPlace(F);
}

Vector LandmarkSource::exact_roots() const {
  Vector all(to_size(core_->exact->rows()));
  core_->exact->left_diagonal(all);
  Vector own = samples_.empty() ? std::move(all) : entries_at(all, samples_);
  for (double& value : own) value = std::sqrt(std::max(value, 0.0));
  return own;
}

void LandmarkSource::block(std::span<const Index> row_index, std::span<const Index> col_index,
                           MutableSpan out) const {
  const SerialBlas serial;
  RowMatrix left(length(row_index), columns());
  factor(row_index, as_span(left));
  RowMatrix right(length(col_index), columns());
  factor(col_index, as_span(right));
  Eigen::Map<RowMatrix>(out.data(), left.rows(), right.rows()).noalias() = left * right.transpose();
}

void LandmarkSource::left_diagonal(MutableSpan out) const {
  std::call_once(measured_, [&] {
    const SerialBlas serial;
    diagonal_.resize(to_size(rows()));
    for (Index begin = 0; begin < rows(); begin += samples_of_a_diagonal) {
      const auto some = index_range(begin, std::min(begin + samples_of_a_diagonal, rows()));
      RowMatrix F(length(some), columns());
      factor(some, as_span(F));
      as_vector(MutableSpan(diagonal_)).segment(begin, F.rows()) = F.rowwise().squaredNorm();
    }
  });
  std::ranges::copy(diagonal_, out.begin());
}

std::vector<KernelSourcePtr> landmark_sources(const std::vector<KernelSourcePtr>& exact,
                                              const std::vector<Index>& landmarks,
                                              const std::vector<std::string>& names,
                                              const Context& context) {
  std::vector<KernelSourcePtr> sources(exact.size());
  parallel_for(context, length(exact), [&](Index m) {
    try {
      sources[to_size(m)] = std::make_shared<LandmarkSource>(exact[to_size(m)], landmarks);
    } catch (const DataError& failure) {
      throw DataError(fmt::format("kernel '{}': {}", names[to_size(m)], failure.what()));
    }
  });
  return sources;
}

}  // namespace kernmix
