#include "base/symmetric.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/lapack.hpp"

namespace kernmix {
namespace {

/// Divide and conquer. Replaces S by its eigenvectors if `job` is "V", and overwrites it if `job`
/// is "N".
Eigen::VectorXd eigenvalues_in_place(const char* job, Eigen::MatrixXd& S) {
  constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd values = Eigen::VectorXd::Constant(S.rows(), not_known);
  for (Index j = 0; j < S.cols(); ++j) {
    if (!S.col(j).tail(S.rows() - j).allFinite()) return values;
  }
  const int n = lapack::size(S.rows());
  const int stride = lapack::stride(n);
  double work_size = 0.0;
  int integers_size = 0;
  int info = 0;
  dsyevd_(job, "L", &n, S.data(), &stride, values.data(), &work_size, &lapack::ask, &integers_size,
          &lapack::ask, &info, 1, 1);
  const int size = static_cast<int>(work_size);
  Vector work(static_cast<std::size_t>(size));
  std::vector<int> integers(static_cast<std::size_t>(integers_size));
  dsyevd_(job, "L", &n, S.data(), &stride, values.data(), work.data(), &size, integers.data(),
          &integers_size, &info, 1, 1);
  if (info != 0) values.setConstant(not_known);
  return values;
}

/// V diag(1 / values) V'b without the values that are zero up to rounding.
Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& S, const Eigen::VectorXd& b) {
  const SymmetricEigen eigen = symmetric_eigen(S);
  const double least = std::numeric_limits<double>::epsilon() * static_cast<double>(S.rows()) *
                       eigen.values.cwiseAbs().maxCoeff();
  Eigen::VectorXd x = eigen.vectors.transpose() * b;
  for (Index k = 0; k < x.size(); ++k) {
    x[k] = std::abs(eigen.values[k]) > least ? x[k] / eigen.values[k] : 0.0;
  }
  return eigen.vectors * x;
}

}  // namespace

SymmetricEigen symmetric_eigen(Eigen::MatrixXd S) {
  Eigen::VectorXd values = eigenvalues_in_place("V", S);
  return {std::move(values), std::move(S)};
}

Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd S) { return eigenvalues_in_place("N", S); }

Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& S, const Eigen::VectorXd& b) {
  constexpr int columns = 1;
  const int n = lapack::size(S.rows());
  const int stride = lapack::stride(n);
  Eigen::MatrixXd factor = S;
  Eigen::VectorXd x = b;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  double work_size = 0.0;
  int info = 0;
  dsysv_("L", &n, &columns, factor.data(), &stride, pivots.data(), x.data(), &stride, &work_size,
         &lapack::ask, &info, 1);
  const int size = static_cast<int>(work_size);
  Vector work(static_cast<std::size_t>(size));
  dsysv_("L", &n, &columns, factor.data(), &stride, pivots.data(), x.data(), &stride, work.data(),
         &size, &info, 1);
  return info > 0 ? shortest_solution(S, b) : x;
}

}  // namespace kernmix
