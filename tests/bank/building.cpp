/// Storage choice, memory plan, refusals, interruption and determinism of build_bank.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>

#include "bank/family/incomplete_cholesky.hpp"
#include "bank/lanczos.hpp"
#include "bank/reference.hpp"
#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::test {
namespace {

std::unique_ptr<KernelBank> build(const Matrix& K, const BankOptions& options = {},
                                  bool psd = false) {
  return build_bank({std::make_shared<DenseSource>(K, -1, psd)}, {"rbf on x"}, options, Context());
}

/// The message of what `action` throws.
template <typename Exception, typename Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void expect_contains(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' in: " << message;
  }
}

TEST(BuildBank, PlansFactorsForLowRankAndTrianglesForFullRank) {
  const std::vector<Matrix> kernels = {random_gram(300, 320, 1), random_gram(300, 7, 2),
                                       random_gram(300, 0, 3)};
  const MemoryPlan plan = plan_bank(sources_of(kernels), BankOptions(), Context());
  EXPECT_EQ(plan.kernels[0].kind, StorageKind::packed32);
  EXPECT_EQ(plan.kernels[0].bytes, 300U * 301U / 2U * 4U);
  EXPECT_EQ(plan.kernels[1].kind, StorageKind::factor);
  EXPECT_EQ(plan.kernels[1].rank, 7);
  EXPECT_EQ(plan.kernels[2].rank, 0);
  EXPECT_EQ(plan.combined_bytes, 300U * 300U * 4U);
  const auto bank = build_bank(sources_of(kernels), names_of(kernels), BankOptions(), Context());
  EXPECT_EQ(bank->bytes(), plan.bank_bytes);
}

/// Kernels on the same columns share their distances, whatever each makes of them, and whatever
/// stands between.
TEST(BuildBank, ComparesSamplesOnceForSeveralKernels) {
  constexpr Index n = 150;
  const auto random = [=](std::uint64_t seed) {
    auto samples = std::make_shared<Matrix>(Index{n}, Index{9});
    std::mt19937_64 engine(seed);
    for (double& value : samples->values) value = std::normal_distribution<double>()(engine);
    return std::shared_ptr<const Matrix>(samples);
  };
  const std::shared_ptr<const Matrix> first = random(1);
  const std::shared_ptr<const Matrix> second = random(2);
  std::vector<KernelSourcePtr> sources;
  for (const double gamma : {0.5, 2.0, 8.0}) {
    for (const std::shared_ptr<const Matrix>& samples : {first, second}) {
      const auto rbf =
          feature_source(make_kernel_function("rbf", {{"gamma", gamma}}), samples, samples);
      const Normalization rule = parse_normalization(gamma > 1.0 ? "center+trace" : "trace");
      sources.push_back(normalized_source(rbf, fit_normalization(rule, *rbf), true));
    }
    sources.push_back(
        feature_source(make_kernel_function("laplacian", {{"gamma", gamma}}), first, first));
  }
  Context context;
  context.threads = 2;
  const std::vector<std::string> names(sources.size(), "k");
  const auto together = build_bank(sources, names, {}, context);
  std::vector<Index> all(n);
  std::iota(all.begin(), all.end(), Index{0});
  for (std::size_t m = 0; m < sources.size(); ++m) {
    const auto alone = build_bank({sources[m]}, {"k"}, {}, context);
    Vector expected(n * n);
    Vector found(n * n);
    alone->block(0, all, all, expected);
    together->block(static_cast<Index>(m), all, all, found);
    EXPECT_EQ(found, expected) << m;
  }
}

TEST(BuildBank, StoresInDoublePrecisionWhenAsked) {
  BankOptions options;
  options.double_precision = true;
  const Matrix K = random_gram(90, 95, 4);
  EXPECT_EQ(build(K, options)->bytes(), 90U * 91U / 2U * 8U);
  EXPECT_EQ(build(K)->bytes(), 90U * 91U / 2U * 4U);
}

TEST(BuildBank, PlanIsWithinATenthForKernelsOfKnownRank) {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  for (const Index rank : {3, 20, 150}) {
    sources.push_back(std::make_shared<DenseSource>(
        random_gram(1100, rank, static_cast<unsigned>(rank)), rank, true));
    names.push_back("linear");
  }
  const MemoryPlan plan = plan_bank(sources, BankOptions(), Context());
  const auto bank = build_bank(sources, names, BankOptions(), Context());
  EXPECT_NEAR(static_cast<double>(bank->bytes()), static_cast<double>(plan.bank_bytes),
              0.1 * static_cast<double>(plan.bank_bytes));
}

TEST(BuildBank, FactorsOfSmoothKernelsStopBeforeTheNoise) {
  const auto bank = build(line_rbf(500, 0.5, 7), BankOptions(), true);
  EXPECT_LE(bank->bytes(), 500U * 40U * 8U);
}

TEST(BuildBank, RefusesWhatDoesNotFitWithTheNumbers) {
  const std::vector<Matrix> kernels(10, random_gram(200, 210, 5));
  Context context;
  context.memory_bytes = 1 << 20;
  const std::string message = refusal<ResourceError>([&] {
    static_cast<void>(build_bank(sources_of(kernels), names_of(kernels), BankOptions(), context));
  });
  expect_contains(message, {"MiB", "--memory", "10 dense", "fewer kernels"});
  context.memory_bytes = std::size_t{1} << 30;
  EXPECT_NO_THROW(static_cast<void>(
      build_bank(sources_of(kernels), names_of(kernels), BankOptions(), context)));
}

TEST(BuildBank, RefusesManyFactorsBeforeAllAreThere) {
  constexpr Index n = 300;
  constexpr Index count = 400;
  const auto x = std::make_shared<Matrix>(n, count);
  x->values = random_vector(n * count, 6);
  std::vector<KernelSourcePtr> sources;
  for (Index m = 0; m < count; ++m) {
    auto column = std::make_shared<Matrix>(n, Index{1});
    for (Index i = 0; i < n; ++i) (*column)(i, 0) = (*x)(i, m);
    sources.push_back(
        feature_source(make_kernel_function("rbf", {{"gamma", 0.5}}), column, column));
  }
  Context context;
  context.memory_bytes = 4 << 20;
  const std::string message = refusal<ResourceError>(
      [&] { static_cast<void>(plan_bank(sources, BankOptions(), context)); });
  expect_contains(message,
                  {"low-rank kernels of 300 samples need more than the memory budget of 4 MiB",
                   "--memory", "the 400 low-rank kernels"});
  context.memory_bytes = std::size_t{1} << 30;
  EXPECT_NO_THROW(static_cast<void>(plan_bank(sources, BankOptions(), context)));
}

TEST(BuildBank, RefusesIndefiniteKernelsByNameAndEigenvalue) {
  Matrix K = random_gram(50, 60, 6);
  for (Index i = 0; i < 50; ++i) K(i, i) -= 1.0;
  expect_contains(refusal<DataError>([&] { static_cast<void>(build(K)); }),
                  {"'rbf on x'", "not positive semidefinite", "smallest eigenvalue is -", "clip"});
  Matrix exchange(2, 2);
  exchange.values = {0.0, 1.0, 1.0, 0.0};
  expect_contains(refusal<DataError>([&] { static_cast<void>(build(exchange)); }),
                  {"smallest eigenvalue is -1 "});
  BankOptions unchecked;
  unchecked.check_psd = false;
  EXPECT_EQ(build(exchange, unchecked)->bytes(), 12U);
}

/// Two samples that are more alike than with themselves, none of the samples of the first check.
TEST(BuildBank, RefusesKernelsThatAreIndefiniteInAFewOfManySamples) {
  constexpr Index n = 1600;
  constexpr Index seen_first = 1500;
  const std::vector<Index> seen = spaced_samples(n, seen_first);
  std::vector<Index> unseen;
  for (Index i = 0; i < n; ++i) {
    if (!std::ranges::binary_search(seen, i)) unseen.push_back(i);
  }
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) K(i, i) = 1.0 + static_cast<double>(i % 7);
  EXPECT_NO_THROW(static_cast<void>(build(K)));
  K(unseen[3], unseen[40]) = K(unseen[40], unseen[3]) = 8.0;
  BankOptions unchecked;
  unchecked.check_psd = false;
  EXPECT_NO_THROW(static_cast<void>(build(K, unchecked)));
  for (const bool twice : {false, true}) {
    BankOptions options;
    options.double_precision = twice;
    expect_contains(
        refusal<DataError>([&] { static_cast<void>(build(K, options)); }),
        {"'rbf on x'", "not positive semidefinite", "smallest eigenvalue is at most -"});
  }
}

/// Of x = 0, 1, 2, ...: -|x - z|^2 on vectors of sum 0 is twice a product, with one eigenvalue > 0.
TEST(BuildBank, TestsManyDistancesOnDifferences) {
  constexpr Index n = 1600;
  const auto points = std::make_shared<Matrix>(Index{n}, Index{1});
  for (Index i = 0; i < n; ++i) (*points)(i, 0) = static_cast<double>(i) / n;
  const auto linear = feature_source(make_kernel_function("linear", {}), points, points);
  EXPECT_NO_THROW(static_cast<void>(
      build_bank(distance_kernels({linear}).sources, {"linear"}, BankOptions(), Context())));
}

TEST(Lanczos, FindsTheEndsOfASpectrum) {
  const auto ends_of = [](const Vector& eigenvalues, Index steps) {
    const auto n = length(eigenvalues);
    const Vector v = random_vector(n, 3);
    const double square = as_vector(ConstSpan(v)).squaredNorm();
    return lanczos(n, steps, [&](ConstSpan x, MutableSpan Kx) {  // R diag(eigenvalues) R, reflected
      const auto reflected = [&](const Eigen::VectorXd& u) -> Eigen::VectorXd {
        return u - 2.0 / square * as_vector(ConstSpan(v)).dot(u) * as_vector(ConstSpan(v));
      };
      const Eigen::VectorXd in_axes = reflected(as_vector(x));
      as_vector(Kx) = reflected(in_axes.cwiseProduct(as_vector(ConstSpan(eigenvalues))));
    });
  };
  Vector line;
  for (Index i = 0; i < 2000; ++i) line.push_back(static_cast<double>(i) / 1999.0);
  const auto even = ends_of(line, 64);
  EXPECT_GE(even.smallest, -1e-12);
  EXPECT_LE(even.smallest, 0.01);
  EXPECT_LE(even.largest, 1.0 + 1e-12);
  EXPECT_GE(even.largest, 0.99);
  line[700] = -0.01;
  const auto below = ends_of(line, 64);
  EXPECT_LT(below.smallest, 0.0);
  EXPECT_GE(below.smallest, -0.01 - 1e-12);
  // Few eigenvalues, of which each has a whole space: over after as many steps.
  const auto few = ends_of({3.0, 3.0, -2.0, -2.0, 3.0}, 64);
  EXPECT_NEAR(few.smallest, -2.0, 1e-12);
  EXPECT_NEAR(few.largest, 3.0, 1e-12);
  EXPECT_EQ(ends_of({0.0, 0.0, 0.0}, 64).smallest, 0.0);
  EXPECT_NEAR(ends_of({4.0}, 64).largest, 4.0, 1e-12);
}

TEST(BuildBank, TestsDistancesOnDifferencesAndNeverFactorsThem) {
  Matrix K = random_gram(50, 3, 11);
  for (Index i = 0; i < 50; ++i) K(i, i) += 0.1 * static_cast<double>(i);
  const auto built = [](const Matrix& gram) {
    const DistanceKernels kernels = distance_kernels({std::make_shared<DenseSource>(gram, 3)});
    return build_bank(kernels.sources, {"rbf on x"}, BankOptions(), Context());
  };
  EXPECT_EQ(built(K)->bytes(), 50U * 51U / 2U * 4U);
  for (Index i = 0; i < 50; ++i) K(i, i) -= 6.0;
  expect_contains(refusal<DataError>([&] { static_cast<void>(built(K)); }),
                  {"'rbf on x'", "not positive semidefinite"});
}

TEST(Distances, AreShiftedSoThatNoMixtureOfSamplesIsNegative) {
  const Matrix K = random_gram(30, 4, 12);
  const DistanceKernels kernels = distance_kernels({std::make_shared<DenseSource>(K)});
  std::vector<Index> all(30);
  std::iota(all.begin(), all.end(), Index{0});
  Matrix shifted(30, 30);
  kernels.sources.front()->block(all, all, shifted.values);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) {
      EXPECT_NEAR(kernels.shift - shifted(i, j), K(i, i) + K(j, j) - 2.0 * K(i, j), 1e-12);
    }
  }
  std::mt19937 engine(13);
  std::exponential_distribution<double> positive;
  for (int trial = 0; trial < 100; ++trial) {
    // Few samples far apart have the largest variance.
    Vector a(30, 0.0);
    for (int k = 0; k < 2 + trial % 4; ++k) a[engine() % 30] += positive(engine);
    const double sum = std::accumulate(a.begin(), a.end(), 0.0);
    double form = 0.0;
    for (Index i = 0; i < 30; ++i) {
      for (Index j = 0; j < 30; ++j) {
        form += a[static_cast<std::size_t>(i)] * shifted(i, j) * a[static_cast<std::size_t>(j)];
      }
    }
    EXPECT_GE(form, -1e-12 * kernels.shift * sum * sum);
  }
}

TEST(BuildBank, AcceptsSemidefiniteKernelsWithTheRoundingOfSinglePrecision) {
  Matrix K = random_gram(200, 12, 8);
  for (double& value : K.values) value = static_cast<double>(static_cast<float>(value));
  EXPECT_NO_THROW(static_cast<void>(build(K)));
}

TEST(BuildBank, RefusesAsymmetricKernelsByEntry) {
  Matrix K = random_gram(80, 90, 9);
  K(70, 3) += 1e-3;
  expect_contains(refusal<DataError>([&] { static_cast<void>(build(K)); }),
                  {"'rbf on x'", "not symmetric", "row 71, column 4", "row 4, column 71"});
}

TEST(BuildBank, RefusesValuesThatAreNotFiniteByEntry) {
  for (const bool psd : {false, true}) {
    for (const Index rank : {2, 120}) {
      Matrix K = random_gram(100, rank, 10);
      for (Index i = 0; i < 100; ++i) {
        K(i, 41) = K(41, i) = std::numeric_limits<double>::quiet_NaN();
      }
      expect_contains(refusal<DataError>([&] { static_cast<void>(build(K, BankOptions(), psd)); }),
                      {"'rbf on x'", "42", "finite"});
    }
  }
}

TEST(BuildBank, RefusesValuesBeyondSinglePrecision) {
  Matrix K = random_gram(40, 50, 12);
  for (double& value : K.values) value *= 1e39;
  expect_contains(refusal<DataError>([&] { static_cast<void>(build(K)); }),
                  {"too large for single precision", "normalise"});
}

TEST(BuildBank, RefusesMisuse) {
  const std::vector<Matrix> kernels = {random_gram(4, 4, 1), random_gram(5, 5, 1)};
  EXPECT_THROW(static_cast<void>(build_bank({}, {}, BankOptions(), Context())), ParameterError);
  EXPECT_THROW(static_cast<void>(
                   build_bank(sources_of(kernels), names_of(kernels), BankOptions(), Context())),
               DataError);
  EXPECT_THROW(
      static_cast<void>(build_bank({sources_of(kernels)[0]}, {"a", "b"}, BankOptions(), Context())),
      ParameterError);
  EXPECT_THROW(static_cast<void>(dense_bank({})), ParameterError);
  EXPECT_THROW(static_cast<void>(dense_bank(kernels)), DataError);
  Matrix skew = kernels[0];
  skew(0, 1) += 0.5;
  EXPECT_THROW(static_cast<void>(dense_bank({skew})), DataError);
}

TEST(BuildBank, ReportsProgressAndStopsWhenAsked) {
  const std::vector<Matrix> kernels(40, random_gram(30, 5, 3));
  Context context;
  Index last = 0;
  context.progress = [&](const Progress& moment) {
    EXPECT_EQ(moment.stage, "kernels");
    EXPECT_EQ(moment.total, 40);
    EXPECT_GT(moment.done, last);
    last = moment.done;
  };
  static_cast<void>(build_bank(sources_of(kernels), names_of(kernels), BankOptions(), context));
  EXPECT_EQ(last, 40);

  context.deadline = std::chrono::steady_clock::now();
  const std::string message = refusal<ResourceError>([&] {
    static_cast<void>(build_bank(sources_of(kernels), names_of(kernels), BankOptions(), context));
  });
  expect_contains(message, {"by the time limit before the kernels were computed", "no answer"});

  const std::atomic<bool> cancelled = true;
  context.cancelled = &cancelled;
  expect_contains(refusal<ResourceError>([&] {
                    static_cast<void>(
                        build_bank(sources_of(kernels), names_of(kernels), BankOptions(), context));
                  }),
                  {"interrupted before the kernels were computed", "no answer"});
}

TEST(BuildBank, TheSameBankForAnyNumberOfThreads) {
  const Index n = 700;
  std::vector<KernelSourcePtr> sources;
  for (unsigned m = 0; m < 5; ++m) {
    Matrix K = m % 2 == 0 ? random_gram(n, 300, m) : line_rbf(n, 0.2 * m, m);
    sources.push_back(std::make_shared<DenseSource>(std::move(K), n, true));
  }
  const Vector a = random_vector(n, 3);
  Vector first;
  for (const int threads : {1, 2, 3, 7}) {
    Context context;
    context.threads = threads;
    const auto bank = build_bank(sources, {"a", "b", "c", "d", "e"}, BankOptions(), context);
    Vector q = all_forms(*bank, a, context);
    if (first.empty()) first = q;
    EXPECT_TRUE(first == q) << threads;
  }
}

TEST(SerialBlas, NestsAndRestores) {
  if (openblas_get_num_threads == nullptr) GTEST_SKIP() << "BLAS is not OpenBLAS";
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  {
    const SerialBlas outer;
    { const SerialBlas inner; }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
  openblas_set_num_threads(before);
}

}  // namespace
}  // namespace kernmix::test
