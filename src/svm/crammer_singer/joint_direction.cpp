#include "svm/crammer_singer/joint_direction.hpp"

#include <algorithm>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/cholesky.hpp"
#include "base/parallel.hpp"
#include "svm/crammer_singer/class_face.hpp"
#include "svm/crammer_singer/joint_response.hpp"

namespace kernmix {
namespace {

/// S of joint_direction.hpp, factorised with a ridge that makes it positive definite in spite of
/// rounding.
std::optional<Cholesky> face_system(const ClassFace& face, const Matrix& K, ConstSpan tau,
                                    const Context& context) {
  RowMatrix S = face.curvature(K, context);
  Vector inverse(tau.size());
  std::ranges::transform(tau, inverse.begin(), [](double step) { return 1.0 / step; });
  face.add_diagonal(inverse, S);
  const double mean = S.trace() / static_cast<double>(face.size());
  return cholesky_with_ridge(std::move(S), {1e-14 * mean, 1e-12 * mean, 100.0});
}

}  // namespace

Matrix kernel_product(const Matrix& K, const Matrix& A, const Context& context) {
  constexpr Index rows_at_once = 128;
  const SerialBlas serial;
  Matrix Z(A.rows, A.cols);
  parallel_blocks(context, K.rows, rows_at_once, [&](Index, Index begin, Index end) {
    as_matrix(Z).middleRows(begin, end - begin).noalias() =
        as_matrix(K).middleRows(begin, end - begin) * as_matrix(A);
  });
  return Z;
}

Matrix decision_values(Matrix G, const Vector& bias) {
  for (Index i = 0; i < G.rows; ++i) {
    for (std::size_t u = 0; u < bias.size(); ++u) G.row(i)[u] += bias[u];
  }
  return G;
}

std::optional<JointDirection> joint_direction(const ClassTargets& targets, const Matrix& K,
                                              ConstSpan tau, const Matrix& R, const Matrix& B,
                                              const Context& context) {
  const bool free_biases = targets.bias == Bias::free;
  JointDirection step;
  step.B = R;
  as_matrix(step.B) -= as_matrix(B);
  step.bias.assign(static_cast<std::size_t>(targets.classes), 0.0);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(targets.classes, targets.classes);
  Eigen::VectorXd rest = as_matrix(R).colwise().sum();
  const ClassFace face(free_entries(targets, R), targets.classes);
  Eigen::VectorXd x(face.size());
  Eigen::MatrixXd by_bias;
  if (face.size() > 0) {
    const std::optional<Cholesky> S = face_system(face, K, tau, context);
    if (!S) return std::nullopt;
    x = S->solve(face.along(kernel_product(K, step.B, context)));
    if (free_biases) {
      const Eigen::MatrixXd sums = face.sums();
      by_bias = sums;
      S->solve_in_place(by_bias);
      M.noalias() = sums.transpose() * by_bias;
      rest -= sums.transpose() * x;
    }
  }
  if (free_biases) {
    as_vector(MutableSpan(step.bias)) = bias_step(M, rest);
    if (face.size() > 0) x += by_bias * as_vector(ConstSpan(step.bias));
  }
  face.add(-x, step.B);
  step.G = kernel_product(K, step.B, context);
  step.f = decision_values(step.G, step.bias);
  return step;
}

}  // namespace kernmix
