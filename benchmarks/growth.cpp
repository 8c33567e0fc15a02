/// \file
/// Training time against the number of kernels M and of samples n: L1, C = 1, tolerance 1e-3,
/// Gaussian kernels on random column subsets of two overlapping Gaussian classes, through the whole
/// of `train` (kernels, solver, exact certificate), all threads.
///
/// usage: bench_growth [largest M] [largest n]

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include "kernmix/kernmix.hpp"

namespace {

using namespace kernmix;

constexpr Index kColumns = 20;

Dataset two_classes(Index n) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  Dataset data;
  data.table.values = Matrix(n, kColumns);
  for (double& value : data.table.values.values) value = normal(engine);
  for (Index j = 0; j < kColumns; ++j) data.table.columns.push_back(fmt::format("x{}", j + 1));
  for (Index i = 0; i < n; ++i) {
    const Matrix& X = data.table.values;
    const double score = X(i, 0) * X(i, 1) + X(i, 2) + 0.5 * normal(engine);
    data.table.labels.push_back(score > 0.0 ? "1" : "-1");
  }
  return data;
}

/// M Gaussian kernels, each on three to eight columns drawn at random.
std::vector<std::string> random_views(Index M, Dataset& data) {
  std::mt19937 engine(2);
  std::vector<std::string> expressions;
  for (Index m = 0; m < M; ++m) {
    std::vector<std::string> columns = data.table.columns;
    std::shuffle(columns.begin(), columns.end(), engine);
    columns.resize(static_cast<std::size_t>(3 + m % 6));
    const std::string name = fmt::format("v{}", m);
    data.views.push_back({name, columns});
    expressions.push_back(fmt::format("rbf(gamma=0.2) on {}", name));
  }
  return expressions;
}

void run(Index n, Index M) {
  Dataset data = two_classes(n);
  TrainOptions options;
  options.kernels = random_views(M, data);
  Context context;
  context.threads = static_cast<int>(std::thread::hardware_concurrency());
  const TrainResult result = train(data, options, context);
  const Timings& s = result.seconds;
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {:.1e} | {:.0f} |\n", n, M,
             s.kernels, s.solve, s.certify, s.total, result.solution.bank_passes,
             result.model.certificate.relative_gap(),
             static_cast<double>(result.plan.total()) / 1e6);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const Index largest_M = count > 1 ? std::atol(arguments[1]) : 1000;
  const Index largest_n = count > 2 ? std::atol(arguments[2]) : 4000;
  fmt::print(
      "| n | M | kernels, s | solve, s | certify, s | total, s | passes | relative gap | plan, MB "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (Index M = 10; M <= largest_M; M *= 10) run(500, M);
  for (Index n = 250; n <= largest_n; n *= 2) run(n, 50);
  return 0;
}
