/// \file
/// Optimal values of a conic solver: reference/optima.json, which reference/generate.py writes.

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernmix/bank/build.hpp"
#include "random_classes.hpp"

namespace kernmix::testing {
namespace {

using Json = nlohmann::json;

/// As in reference/generate.py: linear, quadratic on the first column, Gaussian on all.
std::unique_ptr<KernelBank> reference_bank(const Json& X) {
  const Index n = length(X);
  Matrix linear(n, n);
  Matrix quadratic(n, n);
  Matrix gaussian(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double square = 0.0;
      for (Index k = 0; k < 3; ++k) {
        const double left = X[i][k].get<double>();
        const double right = X[j][k].get<double>();
        linear(i, j) += left * right;
        square += (left - right) * (left - right);
      }
      quadratic(i, j) = std::pow(1.0 + X[i][0].get<double>() * X[j][0].get<double>(), 2);
      gaussian(i, j) = std::exp(-0.5 * square);
    }
  }
  return dense_bank({linear, quadratic, gaussian});
}

TEST(JointReference, OptimaAreThoseOfAConicSolver) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/joint/reference/optima.json");
  for (const Json& data : Json::parse(stream)) {
    OwnedClasses owned{reference_bank(data.at("X")),
                       data.at("y").get<std::vector<Index>>(),
                       data.at("classes").get<Index>(),
                       {}};
    for (const Json& item : data.at("cases")) {
      SCOPED_TRACE(item.dump());
      owned.C = data.at("weights").get<Vector>();
      for (double& C : owned.C) C *= item.at("C").get<double>();
      const Regularizer regularizer = parse_regularizer(item.at("regularizer").get<std::string>());
      const Bias bias = item.at("bias") == "free" ? Bias::free : Bias::none;
      const Answer solution = expect_joint_solved(owned.with(regularizer, bias), 1e-7);
      const double optimum = item.at("optimum").get<double>();
      EXPECT_NEAR(solution.certificate.primal, optimum, 1e-6 * optimum);
      EXPECT_NEAR(solution.certificate.dual, optimum, 1e-6 * optimum);
    }
  }
}

}  // namespace
}  // namespace kernmix::testing
