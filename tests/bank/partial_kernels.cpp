/// \file
/// A kernel may know only some of the samples: it is zero at all others, and a bank that stores
/// only what it knows trains and certifies as one that stores the zeros.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/bank/build.hpp"
#include "kernmix/certificate.hpp"
#include "random_problem.hpp"

namespace kernmix::testing {
namespace {

/// Kernel m knows the samples rows[m], ascending: known[m] is its matrix on these.
class PartialBank final : public KernelBank {
 public:
  PartialBank(Index samples, std::vector<std::vector<Index>> rows, std::vector<Matrix> known)
      : n_(samples), rows_(std::move(rows)), known_(std::move(known)) {}

  [[nodiscard]] Index samples() const override { return n_; }
  [[nodiscard]] Index kernels() const override { return length(known_); }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t numbers = 0;
    for (const Matrix& K : known_) numbers += K.values.size();
    return numbers * sizeof(double);
  }
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    double* entry = out.data();
    for (const Index i : rows) {
      const Index row = place(m, i);
      for (const Index j : cols) {
        const Index col = place(m, j);
        *entry++ = row < 0 || col < 0 ? 0.0 : known_[to_size(m)](row, col);
      }
    }
  }

 private:
  /// Of a sample in what kernel m knows, or -1.
  [[nodiscard]] Index place(Index m, Index sample) const {
    const std::vector<Index>& rows = rows_[to_size(m)];
    const auto found = std::ranges::lower_bound(rows, sample);
    return found != rows.end() && *found == sample ? found - rows.begin() : -1;
  }

  Index n_;
  std::vector<std::vector<Index>> rows_;
  std::vector<Matrix> known_;
};

/// Every sample that is not the k-th of three in a row; k = 3 leaves none out.
std::vector<Index> all_but(Index k, Index n) {
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) {
    if (i % 3 != k) rows.push_back(i);
  }
  return rows;
}

struct Banks {
  explicit Banks(const RandomData& data) : whole_kernels(data.kernels()) {
    const Index n = data.X.rows;
    std::vector<std::vector<Index>> rows;
    std::vector<Matrix> known;
    for (std::size_t m = 0; m < whole_kernels.size(); ++m) {
      Matrix& K = whole_kernels[m];
      rows.push_back(all_but(static_cast<Index>(m % 4), n));
      Matrix& part = known.emplace_back(length(rows.back()), length(rows.back()));
      Matrix zeros(n, n);
      for (Index i = 0; i < part.rows; ++i) {
        for (Index j = 0; j < part.cols; ++j) {
          const Index row = rows.back()[to_size(i)];
          const Index col = rows.back()[to_size(j)];
          zeros(row, col) = part(i, j) = K(row, col);
        }
      }
      K = std::move(zeros);
    }
    partial = std::make_unique<PartialBank>(n, std::move(rows), std::move(known));
    padded = dense_bank(whole_kernels);
  }

  std::vector<Matrix> whole_kernels;
  std::unique_ptr<KernelBank> partial;
  std::unique_ptr<KernelBank> padded;
};

TEST(PartialKernels, TrainAndCertifyAsPaddedOnes) {
  const RandomData data(11, 60, 3);
  const Banks banks(data);
  ASSERT_LT(banks.partial->bytes(), banks.whole_kernels.size() * 3600 * sizeof(double));
  const std::vector<std::pair<std::string, std::string>> runs = {
      {"l1", "newton"}, {"l1", "silp"}, {"lp:p=2", "newton"}};
  for (const auto& [regularizer, solver] : runs) {
    const auto problem = [&](const KernelBank& bank) {
      return Problem{bank, Hinge{}, parse_regularizer(regularizer), data.y,
                     Vector(data.y.size(), 1.0)};
    };
    SolverOptions options;
    options.solver = solver;
    const Answer answer = solve(problem(*banks.partial), options, {});
    EXPECT_EQ(answer.status, Status::converged) << regularizer << ' ' << solver;
    Certificate certificate = certify(problem(*banks.padded), answer.d, answer.a, {}).certificate;
    if (!answer.witness.empty()) {
      certificate.raise_dual(certify_dual(problem(*banks.padded), answer.witness, {}));
    }
    EXPECT_LE(certificate.relative_gap(), 1.001 * options.tolerance)
        << regularizer << ' ' << solver;
  }
}

TEST(PartialKernels, MultiplyToZeroWhereTheyKnowNothing) {
  const RandomData data(12, 30, 3);
  const Banks banks(data);
  const Vector ones(30, 1.0);
  const Index kernel = 1;
  const Products products =
      banks.partial->products(std::vector<Index>{kernel}, ones, Reach::everywhere, {});
  for (Index i = 0; i < 30; ++i) {
    if (i % 3 == kernel) {
      EXPECT_EQ(products.rows(0, i), 0.0) << i;
    }
  }
  const Matrix& padded = banks.whole_kernels[to_size(kernel)];
  double form = 0.0;
  for (const double value : padded.values) form += value;
  EXPECT_NEAR(products.forms(0, 0), form, 1e-9 * std::abs(form));
}

}  // namespace
}  // namespace kernmix::testing
