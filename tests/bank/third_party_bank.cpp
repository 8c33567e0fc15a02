/// \file
/// A bank that somebody else writes answers samples(), kernels(), bytes() and block(): its kernels
/// lie in a file that is mapped into memory, and every solver trains on them.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "kernmix/bank/build.hpp"
#include "kernmix/certificate.hpp"
#include "random_problem.hpp"

namespace kernmix::testing {
namespace {

/// M matrices of n x n doubles, row by row, one after the other.
class MappedBank final : public KernelBank {
 public:
  MappedBank(const std::string& path, Index samples, Index kernels) : n_(samples), M_(kernels) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw std::runtime_error("cannot open " + path);
    void* memory = mmap(nullptr, size(), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (memory == MAP_FAILED) throw std::runtime_error("cannot map " + path);
    entries_ = static_cast<const double*>(memory);
  }
  MappedBank(const MappedBank&) = delete;
  MappedBank& operator=(const MappedBank&) = delete;
  ~MappedBank() override { munmap(const_cast<double*>(entries_), size()); }

  [[nodiscard]] Index samples() const override { return n_; }
  [[nodiscard]] Index kernels() const override { return M_; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }  // the file's pages come and go
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    const double* K = entries_ + m * n_ * n_;
    double* entry = out.data();
    for (const Index i : rows) {
      for (const Index j : cols) *entry++ = K[i * n_ + j];
    }
  }

 private:
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(M_ * n_ * n_) * sizeof(double);
  }

  Index n_, M_;
  const double* entries_;
};

/// Kernels in a file, and the same in a bank of kernmix.
class ThirdPartyBank : public ::testing::Test {
 protected:
  static constexpr Index kSamples = 60;

  ThirdPartyBank() : path_(::testing::TempDir() + "kernmix_third_party_bank.bin") {
    const std::vector<Matrix> kernels = data_.kernels();
    std::ofstream file(path_, std::ios::binary);
    for (const Matrix& K : kernels) {
      file.write(reinterpret_cast<const char*>(K.values.data()),
                 static_cast<std::streamsize>(K.values.size() * sizeof(double)));
    }
    file.close();
    mapped_ = std::make_unique<MappedBank>(path_, kSamples, length(kernels));
    own_ = dense_bank(kernels);
  }
  ~ThirdPartyBank() override { std::remove(path_.c_str()); }

  [[nodiscard]] Problem problem(const KernelBank& bank, const Loss& loss,
                                const Regularizer& regularizer) const {
    return {bank, loss, with_default_groups(regularizer, bank.kernels()), data_.y,
            Vector(data_.y.size(), 1.0)};
  }

  RandomData data_{4, kSamples, 3};
  std::string path_;
  std::unique_ptr<MappedBank> mapped_;
  std::unique_ptr<KernelBank> own_;
};

TEST_F(ThirdPartyBank, TrainsWithEverySolverThatFits) {
  constexpr double kTolerance = 1e-2;
  Index solved = 0;
  for (const Loss& loss : {Loss{Hinge{}}, Loss{Logistic{}}}) {
    for (const Regularizer& regularizer : {Regularizer{L1{}}, Regularizer{Lp{2.0}}}) {
      const Problem mapped = problem(*mapped_, loss, regularizer);
      const Problem own = problem(*own_, loss, regularizer);
      for (const std::string& name : solver_names()) {
        SolverOptions options;
        options.solver = name;
        options.tolerance = kTolerance;
        Answer answer;
        try {
          answer = solve(mapped, options, {});
        } catch (const ParameterError&) {
          continue;  // not of this loss or regularizer
        }
        ++solved;
        EXPECT_EQ(answer.status, Status::converged) << name;
        Certificate certificate = certify(own, answer.d, answer.a, {}, answer.gamma).certificate;
        if (!answer.witness.empty()) {
          certificate.raise_dual(certify_dual(own, answer.witness, {}, answer.gamma));
        }
        EXPECT_LE(certificate.relative_gap(), 1.001 * kTolerance) << name;
        EXPECT_NEAR(certificate.primal, answer.certificate.primal, 1e-9 * answer.certificate.size())
            << name;
      }
    }
  }
  EXPECT_GE(solved, 20);
}

TEST_F(ThirdPartyBank, AnswersAsTheBankThatStoresTheSame) {
  const Matrix A = [&] {
    Matrix panel(5, kSamples);
    for (std::size_t k = 0; k < panel.values.size(); ++k) {
      panel.values[k] = static_cast<double>(k * k % 7) - 3.0;
    }
    return panel;
  }();
  const std::vector<Index> subset = {2, 0};
  const Vector d = {0.5, 0.0, 2.0};
  Vector weights(static_cast<std::size_t>(own_->kernels()), 0.0);
  std::ranges::copy(d, weights.begin());
  const auto close = [](const Vector& left, const Vector& right, double error) {
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t k = 0; k < left.size(); ++k) ASSERT_NEAR(left[k], right[k], error) << k;
  };
  for (const Reach reach : {Reach::forms, Reach::everywhere}) {
    const Products left = mapped_->products(subset, A, reach, {});
    const Products right = own_->products(subset, A, reach, {});
    close(left.forms.values, right.forms.values, 1e-9);
    close(left.rows.values, right.rows.values, 1e-9);
  }
  close(mapped_->combined(weights)->times(A, {}).values,
        own_->combined(weights)->times(A, {}).values, 1e-9);
  const std::vector<Index> some = {1, 4, 30, 59};
  const auto part = mapped_->restricted(some, {});
  Vector left(some.size() * some.size());
  Vector right(left.size());
  own_->combined(weights)->matrix(some, MutableSpan(right), {});
  mapped_->combined(weights)->matrix(some, MutableSpan(left), {});
  close(left, right, 1e-12);
  part->combined(weights)->matrix(std::vector<Index>{0, 1, 2, 3}, MutableSpan(left), {});
  close(left, right, 1e-12);
}

}  // namespace
}  // namespace kernmix::testing
