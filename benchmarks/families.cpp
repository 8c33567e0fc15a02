/// \file
/// Low-rank banks that grow with n: ten Gaussian widths on each of 30 columns (300 kernels). Build,
/// one pass, the factor of the combined kernel of one kernel a column, and the products of a
/// certificate, per sample; bytes beside those of the plan.
///
/// usage: bench_families [COLUMNS] [LARGEST n] [THREADS]

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "kernmix/bank/build.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/kernmix.hpp"

namespace {

using namespace kernmix;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<KernelSourcePtr> widths_on_each(Index n, Index columns) {
  std::vector<KernelSourcePtr> sources;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  for (Index c = 0; c < columns; ++c) {
    const auto x = std::make_shared<Matrix>(n, Index{1});
    for (double& value : x->values) value = normal(engine);
    for (double width = 0.125; width < 100.0; width *= 2.0) {
      sources.push_back(feature_source(make_kernel_function("rbf", {{"width", width}}), x, x));
    }
  }
  return sources;
}

}  // namespace

int main(int count, char** arguments) {
  const Index columns = count > 1 ? std::atol(arguments[1]) : 30;
  const Index largest = count > 2 ? std::atol(arguments[2]) : 100000;
  Context context;
  context.threads = count > 3 ? std::atoi(arguments[3]) : 1;
  fmt::print(
      "{} kernels, {} threads; microseconds and bytes per sample\n\n| n | plan | build | pass | "
      "combined factor | its columns | certificate | bytes | bytes planned |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      10 * columns, context.threads);
  for (const Index n : {Index{1000}, Index{5000}, Index{20000}, Index{100000}}) {
    if (n > largest) break;
    const auto sources = widths_on_each(n, columns);
    const std::vector<std::string> names(sources.size(), "rbf");
    auto start = Clock::now();
    const auto lap = [&] {
      const double seconds = seconds_since(start);
      start = Clock::now();
      return 1e6 * seconds / static_cast<double>(n);
    };
    const MemoryPlan plan = plan_bank(sources, {}, context);
    const double planning = lap();
    const auto bank = build_bank(sources, names, {}, plan, context);
    const double building = lap();
    Vector a(static_cast<std::size_t>(n), 0.5);
    for (std::size_t i = 0; i < a.size(); i += 2) a[i] = -0.5;
    Vector q = all_forms(*bank, a, context);
    const double pass = lap();
    Vector d(sources.size(), 0.0);
    for (std::size_t m = 3; m < d.size(); m += 10) d[m] = 0.1;
    const Index width = bank->combined(d)->factor(context).cols;
    const double combining = lap();
    const ProductRequest request{d, a};
    static_cast<void>(bounded_products(sources, *plan.families, 1e-14, {&request, 1}, context));
    const double certifying = lap();
    const auto per_sample = [n](std::size_t bytes) {
      return static_cast<double>(bytes) / static_cast<double>(n);
    };
    fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} | {:.1f} | {} | {:.1f} | {:.0f} | {:.0f} |\n", n,
               planning, building, pass, combining, width, certifying, per_sample(bank->bytes()),
               per_sample(plan.bank_bytes));
    std::fflush(stdout);
  }
  return 0;
}
