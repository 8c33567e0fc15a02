// Problems whose optimum is zero: losses with a threshold of their own whose margins collapse
// (docs/explanation/problem.md, the relative gap). Their gaps are measured by the size of the terms
// that cancel, or no run would end.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "kernmix/solve.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::make_problem;
using testing::OwnedProblem;
using testing::RandomData;

constexpr double kZeroTolerance = 1e-3;

/// H K H with mean diagonal 1: equal dual variables have no function.
Matrix centred(Matrix K) {
  const Index n = K.rows;
  const auto size = static_cast<double>(n);
  Vector mean(static_cast<std::size_t>(n), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (const double value : K.row(i)) mean[static_cast<std::size_t>(i)] += value / size;
  }
  const double grand = std::accumulate(mean.begin(), mean.end(), 0.0) / size;
  double trace = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      K(i, j) += grand - mean[static_cast<std::size_t>(i)] - mean[static_cast<std::size_t>(j)];
    }
    trace += K(i, i);
  }
  for (double& value : K.values) value *= size / trace;
  return K;
}

std::vector<Matrix> centred(std::vector<Matrix> kernels) {
  for (Matrix& K : kernels) K = centred(std::move(K));
  return kernels;
}

/// A run that does not end is cut short, and says so.
Context with_an_end() {
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  return context;
}

void expect_zero_found(const Bounds& bounds, Status status, const std::string& what) {
  EXPECT_EQ(status, Status::converged) << what;
  EXPECT_GT(bounds.least_size, 0.0) << what;
  EXPECT_LE(bounds.gap, kZeroTolerance * bounds.least_size) << what;
  EXPECT_LE(std::abs(bounds.primal) + std::abs(bounds.dual), 0.1 * bounds.least_size) << what;
}

void solve_everywhere(const OwnedProblem& owned, const std::string& loss) {
  for (const char* regularizer : {"average", "l1", "lp:p=2", "sum"}) {
    SolverOptions options;
    options.tolerance = kZeroTolerance;
    const Answer solution =
        solve(owned.with(parse_regularizer(regularizer), parse_loss(loss)), options, with_an_end());
    expect_zero_found(solution.certificate, solution.status, loss + ", " + regularizer);
  }
}

TEST(ZeroOptimum, OneClassOnCentredKernels) {
  const std::string loss = "one-class:nu=0.1";
  for (const Index n : {60, 300}) {
    const RandomData data(3, n, 4);
    OwnedProblem owned = make_problem(centred(data.kernels()), Vector(data.y.size(), 0.0), 1.0);
    owned.C.assign(data.y.size(), loss_weight(parse_loss(loss), 1.0, n));
    solve_everywhere(owned, loss);
  }
}

/// In few dimensions the hulls of two classes of random labels meet.
OwnedProblem overlapping(const std::string& loss, Index n) {
  RandomData data(5, n, 4);
  for (std::size_t i = 0; i < data.y.size(); ++i) data.y[i] = i % 3 == 0 ? 1.0 : -1.0;
  return make_problem(data.lines(), data.y, loss_weight(parse_loss(loss), 1.0, n));
}

TEST(ZeroOptimum, ClassesWhoseHullsMeet) {
  for (const std::string loss : {"nu-svc:nu=0.3", "komd:lambda=0"}) {
    for (const Index n : {60, 300}) solve_everywhere(overlapping(loss, n), loss);
  }
}

TEST(ZeroOptimum, OfTasksThatShareWeights) {
  const std::string loss = "nu-svc:nu=0.3";
  const OwnedProblem owned = overlapping(loss, 90);
  Vector other(owned.y.size());
  for (std::size_t i = 0; i < other.size(); ++i) other[i] = i % 2 == 0 ? 1.0 : -1.0;
  for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
    const Problem problem{*owned.bank,
                          parse_loss(loss),
                          L1{},
                          {{owned.y, owned.C, {}}, {other, owned.C, {}}},
                          sharing};
    SolverOptions options;
    options.tolerance = kZeroTolerance;
    const Answer solution = solve(problem, options, with_an_end());
    expect_zero_found(solution.certificate, solution.status, coupling_name(sharing));
  }
}

/// The floor is far below optima that are not zero.
TEST(ZeroOptimum, LeavesOthersAlone) {
  const std::string loss = "nu-svc:nu=0.3";
  RandomData data(6, 60, 4);
  data.tell_apart(2, 2.0);
  const OwnedProblem owned =
      make_problem(data.kernels(), data.y, loss_weight(parse_loss(loss), 1.0, 60));
  const Answer solution = testing::solve_tightly(owned.with(L1{}, parse_loss(loss)));
  const Certificate& certificate = solution.certificate;
  EXPECT_GT(certificate.least_size, 0.0);
  EXPECT_EQ(certificate.relative_gap(),
            certificate.gap / std::max(std::abs(certificate.primal), std::abs(certificate.dual)));
  const Answer hinge = testing::solve_tightly(owned.with(L1{}));
  EXPECT_EQ(hinge.certificate.least_size, 0.0);
}

}  // namespace
}  // namespace kernmix
