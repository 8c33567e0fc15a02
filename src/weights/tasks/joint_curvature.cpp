#include <utility>

#include "base/blas_threads.hpp"
#include "base/cholesky.hpp"
#include "svm/crammer_singer/class_face.hpp"
#include "weights/curvature.hpp"
#include "weights/tasks/joint_run.hpp"

namespace kernmix {
namespace {

/// Column k is E' K_m A, m = subset[k]. One pass over `subset`.
Eigen::MatrixXd face_products(const JointRun& run, const ClassFace& face, const Vector& a,
                              const std::vector<Index>& subset) {
  const Problem& problem = run.problem();
  const Matrix panel = panel_of(problem, {a});
  Eigen::MatrixXd U(face.size(), length(subset));
  for (Index k = 0; k < length(subset); ++k) {  // one by one: all take T times as much memory
    const std::span<const Index> m(&subset[static_cast<std::size_t>(k)], 1);
    const Matrix product = problem.bank.products(m, panel, Reach::everywhere, run.context()).rows;
    U.col(k) = face.along(run.unstacked(from_panel(problem, product).front()));
  }
  return U;
}

/// U <- (I - Q Q') U for an orthonormal basis Q of the columns of `sums`, which add up to zero.
void remove_class_sums(Eigen::MatrixXd sums, Eigen::MatrixXd& U) {
  constexpr double kDependent = 1e-8;
  for (Index u = 0; u < sums.cols(); ++u) {
    const double before = sums.col(u).norm();
    for (Index v = 0; v < u; ++v) sums.col(u) -= sums.col(v).dot(sums.col(u)) * sums.col(v);
    const double after = sums.col(u).norm();
    if (after <= kDependent * before) {
      sums.col(u).setZero();
      continue;
    }
    sums.col(u) /= after;
    U.noalias() -= sums.col(u) * (sums.col(u).transpose() * U);
  }
}

}  // namespace

LocalModel JointRun::model(const Point& point, std::vector<Index> kernels) {
  constexpr double kRidge = 1e-10;
  LocalModel model{std::move(kernels), {}, std::nullopt};
  model.quadratic = model_without_curvature(point, model.kernels);
  const ClassFace face(point.free, problem_.functions);
  if (face.size() == 0) return model;
  const SerialBlas serial;
  RowMatrix S = face.curvature(kernel(point.d), context_);
  const double mean = mean_of_diagonal(S);
  const auto factor =
      cholesky_with_ridge(std::move(S), {kRidge * mean, 100.0 * kRidge * mean, 100.0});
  if (!factor) return model;  // S is not finite
  Eigen::MatrixXd U = face_products(*this, face, point.a, model.kernels);
  count_pass();
  factor->solve_half_in_place(U);
  if (problem_.bias == Bias::free) {
    Eigen::MatrixXd sums = face.sums();
    factor->solve_half_in_place(sums);
    remove_class_sums(std::move(sums), U);
  }
  set_curvature(model.quadratic, same_gram(std::move(U)));
  return model;
}

}  // namespace kernmix
