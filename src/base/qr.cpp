#include "base/qr.hpp"

#include <utility>

#include "base/lapack.hpp"

namespace kernmix {

Qr::Qr(Eigen::MatrixXd A) : reflections_(std::move(A)), tau_(reflections_.cols()) {
  const int rows = lapack::size(reflections_.rows());
  const int columns = lapack::size(reflections_.cols());
  const int stride = lapack::stride(rows);
  double work_size = 0.0;
  int info = 0;
  dgeqrf_(&rows, &columns, reflections_.data(), &stride, tau_.data(), &work_size, &lapack::ask,
          &info);
  const int size = static_cast<int>(work_size);
  Vector work(static_cast<std::size_t>(size));
  dgeqrf_(&rows, &columns, reflections_.data(), &stride, tau_.data(), work.data(), &size, &info);
}

Eigen::MatrixXd Qr::R() const {
  const Index r = reflections_.cols();
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(r, r);
  for (Index k = 0; k < r; ++k) R.col(k).head(k + 1) = reflections_.col(k).head(k + 1);
  return R;
}

void Qr::multiply(const char* which, Eigen::MatrixXd& B) const {
  const int rows = lapack::size(B.rows());
  const int columns = lapack::size(B.cols());
  const int reflections = lapack::size(reflections_.cols());
  const int stride = lapack::stride(rows);
  double work_size = 0.0;
  int info = 0;
  dormqr_("L", which, &rows, &columns, &reflections, reflections_.data(), &stride, tau_.data(),
          B.data(), &stride, &work_size, &lapack::ask, &info, 1, 1);
  const int size = static_cast<int>(work_size);
  Vector work(static_cast<std::size_t>(size));
  dormqr_("L", which, &rows, &columns, &reflections, reflections_.data(), &stride, tau_.data(),
          B.data(), &stride, work.data(), &size, &info, 1, 1);
}

}  // namespace kernmix
