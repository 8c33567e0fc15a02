/// \file
/// The same optimum as LIBSVM for support vector regression, nu-SVC and one-class.

#include <gtest/gtest.h>

#include <cmath>

#include "libsvm.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {
namespace {

using test::libsvm_dual;

struct Case {
  Matrix K;
  OwnedProblem owned;
};

Case make_case(const Loss& loss, Index n, double C) {
  const RandomData data(31, n, 3);
  const OwnedProblem sample = random_problem_for(loss, 31, n, 3, C);
  Matrix K = data.gaussian(1.0, {0, 1, 2});
  OwnedProblem owned = make_problem({K}, sample.y, 1.0);
  owned.C = sample.C;
  return {std::move(K), std::move(owned)};
}

Vector their_dual(const Case& data, const svm_parameter& parameter) {
  const auto entry = [&](Index i, Index j) { return data.K(i, j); };
  return libsvm_dual(data.K.rows, entry, data.owned.y, parameter);
}

/// 1/2 a'Ka - y'a + eps |a|_1, from the definition; y = 0 for the losses with nu.
double objective(const Matrix& K, const Vector& a, const Vector& linear, double eps) {
  double value = 0.0;
  for (Index i = 0; i < K.rows; ++i) {
    double z = 0.0;
    for (Index j = 0; j < K.rows; ++j) z += K(i, j) * a[j];
    value += 0.5 * a[i] * z - linear[i] * a[i] + eps * std::abs(a[i]);
  }
  return value;
}

Answer solve_ours(const Case& data, const Loss& loss) {
  SolverOptions options;
  options.tolerance = 1e-9;
  return solve(data.owned.with(Sum{}, loss), options, Context{});
}

TEST(LibsvmLosses, EpsilonRegression) {
  for (const Index n : {2, 31, 150}) {
    for (const double C : {0.05, 1.0, 50.0}) {
      for (const double eps : {0.0, 0.1, 0.7}) {
        const Loss loss = Epsilon{eps};
        const Case data = make_case(loss, n, C);
        svm_parameter parameter{};
        parameter.svm_type = EPSILON_SVR;
        parameter.C = C;
        parameter.p = eps;
        const Vector& y = data.owned.y;
        const double theirs = objective(data.K, their_dual(data, parameter), y, eps);
        const Answer ours = solve_ours(data, loss);
        EXPECT_EQ(ours.status, Status::converged);
        EXPECT_NEAR(objective(data.K, ours.a.front(), y, eps), theirs,
                    1e-7 * std::abs(theirs) + 1e-12)
            << "n = " << n << ", C = " << C << ", eps = " << eps;
      }
    }
  }
}

TEST(LibsvmLosses, NuClassification) {
  for (const Index n : {30, 121}) {
    for (const double nu : {0.1, 0.3, 0.6}) {
      const Loss loss = NuSvc{nu};
      const Case data = make_case(loss, n, 1.0);
      svm_parameter parameter{};
      parameter.svm_type = NU_SVC;
      parameter.nu = nu;
      // LIBSVM divides by its margin; the sum of |a| is 1 before that.
      Vector their_a = their_dual(data, parameter);
      double sum = 0.0;
      for (const double value : their_a) sum += std::abs(value);
      for (double& value : their_a) value /= sum;
      const Vector none(their_a.size(), 0.0);
      const double theirs = objective(data.K, their_a, none, 0.0);
      const Answer ours = solve_ours(data, loss);
      EXPECT_EQ(ours.status, Status::converged) << "n = " << n << ", nu = " << nu;
      EXPECT_NEAR(objective(data.K, ours.a.front(), none, 0.0), theirs, 1e-6 * theirs)
          << "n = " << n << ", nu = " << nu;
      EXPECT_NEAR(ours.certificate.dual, -theirs, 1e-6 * theirs);
    }
  }
}

TEST(LibsvmLosses, OneClass) {
  for (const Index n : {10, 120}) {
    for (const double nu : {0.05, 0.3, 0.9, 1.0}) {
      const Loss loss = OneClass{nu};
      const Case data = make_case(loss, n, 1.0);
      svm_parameter parameter{};
      parameter.svm_type = ONE_CLASS;
      parameter.nu = nu;
      Vector their_a = their_dual(data, parameter);
      for (double& value : their_a) value /= nu * static_cast<double>(n);
      const Vector none(their_a.size(), 0.0);
      const double theirs = objective(data.K, their_a, none, 0.0);
      const Answer ours = solve_ours(data, loss);
      EXPECT_EQ(ours.status, Status::converged) << "n = " << n << ", nu = " << nu;
      EXPECT_NEAR(objective(data.K, ours.a.front(), none, 0.0), theirs, 1e-7 * theirs)
          << "n = " << n << ", nu = " << nu;
    }
  }
}

}  // namespace
}  // namespace kernmix::testing
