/// \file
/// The whole path on kernels that are kept as factors, and on so many samples that inner problems
/// are solved on a kernel in single precision.

#include "bank/stored_bank.hpp"
#include "factor_family.hpp"
#include "kernmix/bank/build.hpp"
#include "sharing_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

/// cos and sin of multiples of column c.
Matrix waves(const RandomData& data, Index c, double frequency) {
  Matrix Z(data.X.rows, 4);
  for (Index i = 0; i < Z.rows; ++i) {
    for (Index k = 0; k < 2; ++k) {
      const double angle = frequency * static_cast<double>(k + 1) * data.X(i, c);
      Z(i, 2 * k) = std::cos(angle);
      Z(i, 2 * k + 1) = std::sin(angle);
    }
  }
  return Z;
}

Matrix gram_of(const Matrix& Z) {
  Matrix K(Z.rows, Z.rows);
  for (Index i = 0; i < Z.rows; ++i) {
    for (Index j = 0; j < Z.rows; ++j) {
      K(i, j) = std::inner_product(Z.row(i).begin(), Z.row(i).end(), Z.row(j).begin(), 0.0);
    }
  }
  return K;
}

TEST(SharedStorage, FactorsAndMatricesHaveOneOptimum) {
  const Index n = 600;
  const Index T = 5;
  const RandomData data(51, n, 3);
  OwnedTasks on_matrices = random_tasks(51, T, n, 3, 1.0);
  OwnedTasks on_factors{nullptr, on_matrices.tasks};
  auto factors = std::make_unique<StoredBank>(n, 6);
  std::vector<Matrix> grams;
  for (Index c = 0; c < 3; ++c) {
    for (const double frequency : {0.5, 1.5}) {
      const Matrix Z = waves(data, c, frequency);
      factors->keep(alone(length(grams), Z), false);
      grams.push_back(gram_of(Z));
    }
  }
  on_factors.bank = std::move(factors);
  on_matrices.bank = dense_bank(std::move(grams));
  for (const auto& [sharing, solver] : std::vector<std::pair<Coupling, std::string>>{
           {Coupling::sum, "newton"}, {Coupling::minimax, "lazy-bundle"}}) {
    const Answer by_factors = expect_shared_solved(on_factors.with(sharing), solver, 1e-4);
    const Answer by_matrices = expect_shared_solved(on_matrices.with(sharing), solver, 1e-4);
    expect_same_optimum(by_factors.certificate, by_matrices.certificate);
  }
}

}  // namespace
}  // namespace kernmix
