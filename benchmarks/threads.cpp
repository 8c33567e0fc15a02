/// \file
/// What two threads gain over one, part by part, beside the ceiling of the machine: what a loop of
/// pure arithmetic and a loop that only reads memory gain. One and two threads take turns, each
/// number is the best of several: other programs only make a run longer.
///
/// usage: bench_threads [largest n] [kernels]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>

#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/solve.hpp"
#include "kernmix/svm/svm.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "synthetic.hpp"

namespace {

using namespace kernmix;
using Clock = std::chrono::steady_clock;
using Work = std::function<void(const Context&)>;

constexpr std::size_t kPieces = 64;
constexpr int kLeastRounds = 3;  // in the first one threads get memory of their own
constexpr int kMostRounds = 7;
constexpr double kEnoughSeconds = 2.0;

double seconds_of(const Work& work, int threads) {
  Context context;
  context.threads = threads;
  const auto start = Clock::now();
  work(context);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_row(const std::string& size, const std::string& part, const Work& work) {
  double best[2] = {std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity()};
  double spent = 0.0;
  work(Context{});  // caches and pages
  const auto enough = [&](int rounds) { return rounds >= kLeastRounds && spent >= kEnoughSeconds; };
  for (int round = 0; round < kMostRounds && !enough(round); ++round) {
    for (const int threads : {1, 2}) {
      const double seconds = seconds_of(work, threads);
      best[threads - 1] = std::min(best[threads - 1], seconds);
      spent += seconds;
    }
  }
  fmt::print("| {} | {} | {:.4f} | {:.4f} | {:.2f} |\n", size, part, best[0], best[1],
             best[0] / best[1]);
  std::fflush(stdout);
}

/// body(piece) for 64 pieces, shared out evenly among plain threads: none of the library's parts.
template <typename Body>
void share_out(int threads, const Body& body) {
  std::vector<std::jthread> workers;
  for (int worker = 0; worker < threads; ++worker) {
    workers.emplace_back([&body, worker, threads] {
      for (std::size_t piece = 0; piece < kPieces; ++piece) {
        if (static_cast<int>(piece) % threads == worker) body(piece);
      }
    });
  }
}

/// Multiplications and additions on registers.
void compute(const Context& context) {
  Vector sums(kPieces);
  share_out(context.threads, [&](std::size_t piece) {
    double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int k = 0; k < 1000000; ++k) {
      for (double& value : x) value = value * 0.999999 + 1e-6;
    }
    sums[piece] = std::accumulate(std::begin(x), std::end(x), 0.0);
  });
}

/// Sums of 512 MB, far beyond any cache.
void read_memory(const Context& context) {
  static const std::vector<float> values(128 << 20, 1.0F);
  Vector sums(kPieces);
  const std::size_t length = values.size() / kPieces;
  share_out(context.threads, [&](std::size_t piece) {
    const float* begin = values.data() + piece * length;
    float sum[32] = {};
    for (std::size_t i = 0; i < length; i += 32) {
      for (std::size_t k = 0; k < 32; ++k) sum[k] += begin[i + k];
    }
    sums[piece] = static_cast<double>(std::accumulate(std::begin(sum), std::end(sum), 0.0F));
  });
}

std::vector<KernelSourcePtr> sources_of(const Kernels& kernels) {
  std::vector<ViewNames> views;
  for (const View& view : kernels.data.views) {
    views.push_back({view.name, view.columns, KernelInput::features});
  }
  std::vector<KernelSourcePtr> sources;
  for (const KernelDescription& kernel :
       expand_kernels(kernels.expressions, views, parse_normalization("trace"))) {
    const Matrix columns = select_columns(kernels.data.table, kernel.columns);
    const auto X = std::make_shared<const Matrix>(columns);
    sources.push_back(feature_source(kernel.function, X, X));
  }
  return sources;
}

void measure(Index n, Index M) {
  const Kernels kernels = on_subsets(n, M);
  const std::vector<KernelSourcePtr> sources = sources_of(kernels);
  const std::vector<std::string> names(sources.size(), "K");
  const std::vector<std::string>& labels = kernels.data.table.labels;
  const Vector y = BinaryLabels::find(labels).encode(labels);
  const Vector C(y.size(), 1.0);
  const Vector d(sources.size(), 1.0 / static_cast<double>(sources.size()));
  const std::string size = fmt::format("{}", n);
  const auto bank = build_bank(sources, names, {}, Context{});
  std::vector<float> K(static_cast<std::size_t>(n * n));
  bank->combined(d)->matrix(all_samples(bank->samples()), std::span(K), Context{});
  const Vector a = train_svm(K, y, C, 1e-3, Context{}).a;
  print_row(size, "build", [&](const Context& c) { (void)build_bank(sources, names, {}, c); });
  print_row(size, "pass", [&](const Context& c) { Vector q = all_forms(*bank, a, c); });
  print_row(size, "combine", [&](const Context& c) {
    bank->combined(d)->matrix(all_samples(bank->samples()), std::span(K), c);
  });
  print_row(size, "SMO", [&](const Context& c) { (void)train_svm(K, y, C, 1e-3, c); });
  const auto exact = exact_bank(sources);
  print_row(size, "certificate", [&](const Context& c) {
    (void)certify({*exact, Hinge{}, L1{}, y, C}, d, {a}, c);
  });
  print_row(size, "solve", [&](const Context& c) {
    (void)solve({*bank, Hinge{}, L1{}, y, C}, SolverOptions{}, c);
  });
  TrainOptions options;
  options.kernels = kernels.expressions;
  options.normalization = parse_normalization("trace");
  options.scaling = ScalingRule::standard;
  print_row(size, "train", [&](const Context& c) { (void)train(kernels.data, options, c); });
}

}  // namespace

int main(int count, char** arguments) {
  const Index largest = count > 1 ? std::atol(arguments[1]) : 1000;
  const Index kernels = count > 2 ? std::atol(arguments[2]) : 20;
  fmt::print("{} Gaussian kernels of full rank, L1, C = 1, to 1e-3.\n\n", kernels);
  fmt::print("| n | part | s, 1 thread | s, 2 threads | gain |\n|---|---|---|---|---|\n");
  print_row("–", "ceiling: arithmetic", compute);
  print_row("–", "ceiling: memory", read_memory);
  for (const Index n : {1000, 2000, 5000}) {
    if (n <= largest) measure(n, kernels);
  }
  return 0;
}
