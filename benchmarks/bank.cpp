/// Construction of kernel banks and their products, on all threads of the machine. Bytes per second
/// count the stored kernels once a pass, so that they compare with the memory bandwidth of the
/// machine.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <thread>

#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"

namespace {

using namespace kernmix;

/// exp(-gamma |x_i - x_j|^2) of random points.
class PointSource : public KernelSource {
 public:
  PointSource(Index n, Index columns, double gamma, unsigned seed) : x_(n, columns), gamma_(gamma) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (double& value : x_.values) value = normal(engine);
  }
  Index rows() const override { return x_.rows; }
  Index cols() const override { return x_.rows; }
  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    double* entry = out.data();
    for (const Index i : row_index) {
      for (const Index j : col_index) *entry++ = value(i, j);
    }
  }
  void left_diagonal(MutableSpan out) const override {
    for (Index i = 0; i < x_.rows; ++i) out[static_cast<std::size_t>(i)] = value(i, i);
  }
  void right_diagonal(MutableSpan out) const override { left_diagonal(out); }
  bool always_psd() const override { return true; }

 private:
  double value(Index i, Index j) const {
    double distance = 0.0;
    for (Index c = 0; c < x_.cols; ++c) {
      const double difference = x_(i, c) - x_(j, c);
      distance += difference * difference;
    }
    return std::exp(-gamma_ * distance);
  }
  Matrix x_;
  double gamma_;
};

enum Family : int { dense = 0, single_column = 1 };

/// `count` Gaussian kernels on n samples: of full rank, or each on a column of its own.
std::vector<KernelSourcePtr> sources(Index n, Index count, int family) {
  std::vector<KernelSourcePtr> result;
  for (Index m = 0; m < count; ++m) {
    const auto seed = static_cast<unsigned>(m);
    result.push_back(std::make_shared<PointSource>(n, family == dense ? 10 : 1, 0.3, seed));
  }
  return result;
}

std::unique_ptr<KernelBank> bank_of(benchmark::State& state, const Context& context) {
  const auto kernels = sources(state.range(0), state.range(1), static_cast<int>(state.range(2)));
  return build_bank(kernels, std::vector<std::string>(kernels.size(), "rbf"), BankOptions(),
                    context);
}

Context all_threads() {
  Context context;
  context.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return context;
}

Vector random_vector(Index n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Vector v(static_cast<std::size_t>(n));
  for (double& value : v) value = normal(engine);
  return v;
}

void count_bytes(benchmark::State& state, const KernelBank& bank) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bank.bytes()));
}

void BM_build(benchmark::State& state) {
  const Context context = all_threads();
  std::size_t bytes = 0;
  for (auto _ : state) bytes = bank_of(state, context)->bytes();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void BM_plan(benchmark::State& state) {
  const auto kernels = sources(state.range(0), state.range(1), static_cast<int>(state.range(2)));
  for (auto _ : state) benchmark::DoNotOptimize(plan_bank(kernels, BankOptions(), all_threads()));
}

void BM_quadratic_forms(benchmark::State& state) {
  const Context context = all_threads();
  const auto bank = bank_of(state, context);
  const Vector a = random_vector(bank->samples(), 1);
  Vector q(static_cast<std::size_t>(bank->kernels()));
  for (auto _ : state) q = all_forms(*bank, a, context);
  count_bytes(state, *bank);
}

void BM_apply(benchmark::State& state) {
  const Context context = all_threads();
  const auto bank = bank_of(state, context);
  const Vector a = random_vector(bank->samples(), 1);
  const Vector d(static_cast<std::size_t>(bank->kernels()), 0.5);
  Vector z(a.size());
  for (auto _ : state) z = combined_product(*bank, d, a, context);
  count_bytes(state, *bank);
}

void BM_combine(benchmark::State& state) {
  const Context context = all_threads();
  const auto bank = bank_of(state, context);
  const Vector d(static_cast<std::size_t>(bank->kernels()), 0.5);
  std::vector<float> K(static_cast<std::size_t>(bank->samples() * bank->samples()));
  for (auto _ : state)
    bank->combined(d)->matrix(all_samples(bank->samples()), std::span(K), context);
  count_bytes(state, *bank);
}

/// Samples, kernels, family.
void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({569, 100, dense})
      ->Args({569, 400, single_column})
      ->Args({2000, 20, dense})
      ->Args({5000, 100, single_column})
      ->ArgNames({"n", "M", "single_column"})
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

BENCHMARK(BM_plan)->Apply(sizes);
BENCHMARK(BM_build)->Apply(sizes);
BENCHMARK(BM_quadratic_forms)->Apply(sizes);
BENCHMARK(BM_apply)->Apply(sizes);
BENCHMARK(BM_combine)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
