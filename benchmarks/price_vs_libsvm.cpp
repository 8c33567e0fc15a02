/// \file
/// The price of MKL in plain SVMs: L1 on M dense Gaussian kernels that lie in memory as packed
/// triangles, solved to the default gap of 1e-3 and to the relative gap that LIBSVM's answer for
/// the average kernel attains, against that one fit of LIBSVM (with its default eps of 1e-3) and
/// five passes (all a'K_m a) over the same bank. Of each the best of several, as many as take a
/// second.
///
/// usage: bench_price_vs_libsvm [C] [largest n] [threads] [GiB of kernels at most]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>

#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/kernmix.hpp"
#include "libsvm_fit.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "subsets.hpp"
#include "svm_solves.hpp"
#include "timed_bank.hpp"

namespace {

using namespace kernmix;

constexpr Index kColumns = 40;

struct Sample {
  Matrix X;
  Vector y;
};

/// Normal noise in forty columns, where the sign of a noisy x1 x2 + x3 is to be learned.
Sample noisy_products(Index n) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  Sample sample{Matrix(n, kColumns), Vector(static_cast<std::size_t>(n))};
  for (double& value : sample.X.values) value = normal(engine);
  for (Index i = 0; i < n; ++i) {
    const double score = sample.X(i, 0) * sample.X(i, 1) + sample.X(i, 2) + 0.5 * normal(engine);
    sample.y[static_cast<std::size_t>(i)] = score > 0.0 ? 1.0 : -1.0;
  }
  return sample;
}

double relative_gap_on_average(const KernelBank& bank, const Sample& sample, double C,
                               const Vector& a, const Context& context) {
  const Vector weights(sample.y.size(), C);
  const Problem problem{bank, Hinge{}, Average{}, sample.y, weights};
  const Vector d(static_cast<std::size_t>(bank.kernels()),
                 1.0 / static_cast<double>(bank.kernels()));
  return certify(problem, d, {a}, context).certificate.relative_gap();
}

/// What the rows of one size have in common.
struct Rival {
  double pass, libsvm;  ///< seconds
  double gap;           ///< of the answer of LIBSVM
};

Rival measure_rival(const KernelBank& bank, const Sample& sample, double C,
                    const Context& context) {
  const Index n = sample.X.rows;
  const auto M = static_cast<std::size_t>(bank.kernels());
  Vector q(M);
  const double pass = best_seconds([&] { q = all_forms(bank, sample.y, context); });
  std::vector<float> average(static_cast<std::size_t>(n * n));
  bank.combined(Vector(M, 1.0 / static_cast<double>(M)))
      ->matrix(all_samples(bank.samples()), std::span(average), context);
  const LibsvmFit fit = fit_libsvm(average, sample.y, C);
  return {pass, fit.seconds, relative_gap_on_average(bank, sample, C, fit.a, context)};
}

void solve_and_print(const KernelBank& bank, const Sample& sample, double C, const Rival& rival,
                     double gap, const Context& context) {
  SolverOptions options;
  options.tolerance = gap;
  const Vector weights(sample.y.size(), C);
  std::unique_ptr<TimedBank> timed;
  Answer solution;
  double seconds = std::numeric_limits<double>::infinity();
  static_cast<void>(best_seconds([&] {
    auto now = std::make_unique<TimedBank>(bank);
    Tally tally;
    tally.time([&] {
      solution = solve({*now, Hinge{}, L1{}, sample.y, weights}, options, context);
    });
    if (tally.seconds >= seconds) return;
    seconds = tally.seconds;
    timed = std::move(now);
  }));
  const auto support = std::ranges::count_if(solution.a.front(), [](double a) { return a != 0.0; });
  const double price = rival.libsvm + 5.0 * rival.pass;
  fmt::print(
      "| {} | {} | {} | {:.1e} | {:.3f} | {:.3f} | {:.3f} | {:.2f} | {} | {} | {} | "
      "{:.3f} ({}, {}) | {:.3f} ({}, {}) | {:.3f} ({}) | {:.3f} |\n",
      sample.X.rows, bank.kernels(), C, gap, rival.libsvm, rival.pass, seconds, seconds / price,
      svm_solves(solution.history), solution.inner_iterations, support, timed->forms.seconds,
      timed->forms.calls, timed->read, timed->combination.seconds, timed->combination.calls,
      timed->combined_kernels, timed->product.seconds + timed->rows.seconds + timed->part.seconds,
      timed->product.calls + timed->rows.calls, seconds - timed->seconds());
  std::fflush(stdout);
}

void run(const Sample& sample, Index M, double C, const Context& context) {
  constexpr double kDefaultGap = 1e-3;
  const NamedSources kernels = subset_sources(sample.X, M);
  const auto bank = build_bank(kernels.sources, kernels.names, {}, context);
  const Rival rival = measure_rival(*bank, sample, C, context);
  for (const double gap : {kDefaultGap, rival.gap}) {
    solve_and_print(*bank, sample, C, rival, gap, context);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const double C = count > 1 ? std::atof(arguments[1]) : 1.0;
  const Index largest = count > 2 ? std::atol(arguments[2]) : 10000;
  Context context;
  context.threads = count > 3 ? std::atoi(arguments[3]) : 1;
  const double most = (count > 4 ? std::atof(arguments[4]) : 6.0) * 1024 * 1024 * 1024;
  fmt::print(
      "| n | M | C | gap | LIBSVM, s | pass, s | MKL, s | MKL : (LIBSVM + 5 passes) | SVM solves | "
      "SMO iterations | support | forms, s (calls, kernels) | combinations, s (calls, kernels) | "
      "products, "
      "s (calls) | rest, s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Index n : {1000, 2000, 5000, 10000}) {
    if (n > largest) break;
    const Sample sample = noisy_products(n);
    for (const Index M : {10, 50, 100}) {
      const double bytes = 2.0 * static_cast<double>(M * n) * static_cast<double>(n);
      if (bytes <= most) run(sample, M, C, context);
    }
  }
  return 0;
}
