/// \file
/// Seconds against the number of kernels M and of samples n through the whole of `train` (kernels,
/// solver, exact certificate): L1, C = 1, tolerance 1e-3, all threads. Once with kernels on single
/// columns, which have low rank, and once with kernels of full rank on random column subsets. Under
/// each table the exponents: slopes of a least squares line through (log size, log seconds), beside
/// those of docs/explanation/performance.md.
///
/// usage: bench_growth [M low rank] [M full rank] [n low rank] [n full rank]     the largest of
/// each

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "slope.hpp"
#include "svm_solves.hpp"
#include "synthetic.hpp"

namespace {

using namespace kernmix;

constexpr double kShortest = 0.01;  ///< shorter times are fixed costs and not part of the line

/// A part of the run: its exponent in the model, and what was measured.
struct Part {
  std::string name;
  double exponent;
  Vector sizes = {};
  Vector seconds = {};

  void add(Index size, double time) {
    if (time < kShortest) return;
    sizes.push_back(static_cast<double>(size));
    seconds.push_back(time);
  }
};

TrainResult run(const Kernels& kernels) {
  TrainOptions options;
  options.kernels = kernels.expressions;
  options.normalization = parse_normalization("trace");
  options.scaling = ScalingRule::standard;
  Context context;
  context.threads = static_cast<int>(std::thread::hardware_concurrency());
  TrainResult result = train(kernels.data, options, context);
  const Timings& s = result.seconds;
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {} | {} | {:.1e} | {:.0f} |\n",
             kernels.data.table.samples(), result.model.kernels.size(), s.kernels, s.solve,
             s.certify, s.total, svm_solves(result.history), result.bank_passes,
             result.model.certificate.relative_gap(),
             static_cast<double>(result.plan.total()) / 1e6);
  std::fflush(stdout);
  return result;
}

/// One table: `make(size)` gives the kernels of every size up to `largest`; the exponents are those
/// of the model for building, solving and the certificate.
template <typename Make>
void grow(const std::string& title, const std::vector<Index>& sizes, Index largest,
          const Vector& exponents, const Make& make) {
  fmt::print(
      "## {}\n\n| n | M | kernels, s | solve, s | certify, s | total, s | SVM solves | passes "
      "| relative gap | plan, MB |\n|---|---|---|---|---|---|---|---|---|---|\n",
      title);
  std::vector<Part> parts = {
      {"kernels", exponents[0]}, {"solve", exponents[1]}, {"certify", exponents[2]}};
  for (const Index size : sizes) {
    if (size > largest) break;
    const Timings s = run(make(size)).seconds;
    parts[0].add(size, s.kernels);
    parts[1].add(size, s.solve);
    parts[2].add(size, s.certify);
  }
  fmt::print("\n| part | exponent measured | in the model |\n|---|---|---|\n");
  for (const Part& part : parts) {
    fmt::print("| {} | {} | {:g} |\n", part.name, slope(part.sizes, part.seconds), part.exponent);
  }
  fmt::print("\n");
}

Index argument(int count, char** arguments, int k, Index otherwise) {
  return count > k ? std::atol(arguments[k]) : otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<Index> kernels = {10, 30, 100, 300, 1000, 3000, 10000, 20000};
  const std::vector<Index> samples = {200, 500, 1000, 2000, 5000, 10000, 20000};
  grow("M kernels of low rank, n = 500", kernels, argument(count, arguments, 1, 1000), {1, 1, 1},
       [](Index M) { return on_single_columns(500, M); });
  grow("M kernels of full rank, n = 500", kernels, argument(count, arguments, 2, 300), {1, 1, 1},
       [](Index M) { return on_subsets(500, M); });
  // Low rank: the combined kernel costs n^2 R, the exact certificate S^2 entries of each kernel.
  grow("n samples, 50 kernels of low rank", samples, argument(count, arguments, 3, 2000), {1, 2, 2},
       [](Index n) { return on_single_columns(n, 50); });
  grow("n samples, 50 kernels of full rank", samples, argument(count, arguments, 4, 1000),
       {2, 2, 2}, [](Index n) { return on_subsets(n, 50); });
  return 0;
}
