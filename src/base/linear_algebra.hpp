#pragma once
/// \file
/// Eigen with BLAS and LAPACK underneath, for .cpp files only. BLAS must run on one thread (set by
/// the command line tool and the tests, see blas_threads.hpp): parallelism comes from our own
/// blocks, so that results do not depend on the number of threads.

#include <cstdint>
#include <span>

#ifndef EIGEN_USE_BLAS
#define EIGEN_USE_BLAS
#endif
// The weak symbols of templates would be shared with those of a program that uses Eigen with other
// flags, such as -march=native, which change its alignment: the library has the namespace under a
// name of its own.
#define Eigen kernmix_eigen
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Dense>
#pragma GCC diagnostic pop

#include "kernmix/types.hpp"

namespace kernmix {

template <typename Scalar>
using RowMatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrix = RowMatrixOf<double>;
using RowMatrixF = RowMatrixOf<float>;

inline Eigen::Map<const Eigen::VectorXd> as_vector(ConstSpan v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}
inline Eigen::Map<Eigen::VectorXd> as_vector(MutableSpan v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}
inline Eigen::Map<const RowMatrix> as_matrix(const Matrix& m) {
  return {m.values.data(), m.rows, m.cols};
}
inline Eigen::Map<RowMatrix> as_matrix(Matrix& m) { return {m.values.data(), m.rows, m.cols}; }
/// The entries, row by row.
inline MutableSpan as_span(RowMatrix& m) { return {m.data(), static_cast<std::size_t>(m.size())}; }

/// Random signs, the same ones each time.
template <typename Scalar>
void fill_with_signs(std::span<Scalar> signs) {
  std::uint64_t state = 0;
  for (Scalar& sign : signs) {
    state = 6364136223846793005U * state + 1442695040888963407U;  // Knuth's generator
    sign = static_cast<Scalar>(state >> 63U != 0 ? 1 : -1);
  }
}

}  // namespace kernmix
