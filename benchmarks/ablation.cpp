/// \file
/// What each strategy of `newton` is worth: `auto` without it, over `auto` with all. One line for
/// each cell and strategy, which benchmarks/ablation sums up; processor time of one thread, the
/// least of REPEATS. Cells: the SimpleMKL protocol on the data sets given and on the one of the
/// examples, low rank and full rank kernels on drawn samples; C, regularizer and tolerance.
///
/// usage: bench_ablation REPEATS [DATA.libsvm...]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "kernmix/bank/build.hpp"
#include "kernmix/kernmix.hpp"
#include "protocol.hpp"
#include "svm_solves.hpp"
#include "synthetic.hpp"

namespace {

using namespace kernmix;

struct Case {
  std::string name;
  std::unique_ptr<KernelBank> bank;
  Vector y;
};

Vector classes(const Table& table) { return BinaryLabels::find(table.labels).encode(table.labels); }

Case protocol(const std::string& file) {
  const Table table = read_table({file}, {});
  return {set_name(file), protocol_bank(table), classes(table)};
}

Case example() {
  ReadOptions options;
  options.label_column = "diagnosis";
  options.id_column = "sample";
  const Table table = read_table({"examples/data/breast_cancer_train.csv"}, options);
  return {"breast cancer", protocol_bank(table), classes(table)};
}

Case drawn(const std::string& name, const Kernels& kernels) {
  const Table& table = kernels.data.table;
  std::vector<ViewNames> views;
  for (const View& view : kernels.data.views) views.push_back({view.name, view.columns});
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  for (const KernelDescription& kernel :
       expand_kernels(kernels.expressions, views, parse_normalization("trace"))) {
    const auto columns = std::make_shared<const Matrix>(select_columns(table, kernel.columns));
    sources.push_back(feature_source(kernel.function, columns, columns));
    names.push_back(kernel.name());
  }
  return {name, build_bank(sources, names, {}, Context{}), classes(table)};
}

std::vector<Case> cases(const std::vector<std::string>& files) {
  std::vector<Case> all;
  for (const std::string& file : files) all.push_back(protocol(file));
  all.push_back(example());
  all.push_back(drawn("low rank", on_single_columns(1000, 100)));
  all.push_back(drawn("low rank", on_single_columns(4000, 200)));
  all.push_back(drawn("full rank", on_subsets(300, 60)));
  all.push_back(drawn("full rank", on_subsets(1500, 20)));
  return all;
}

void solve_cell(const Case& cell, const std::string& regularizer, double C, double tolerance,
                const std::string& without, int repeats) {
  const Problem problem{*cell.bank, parse_loss("hinge"),      parse_regularizer(regularizer),
                        cell.y,     Vector(cell.y.size(), C), Bias::free};
  SolverOptions options;
  options.tolerance = tolerance;
  if (!without.empty()) options.without = {without};
  double least = std::numeric_limits<double>::infinity();
  Answer solution;
  for (int k = 0; k < repeats; ++k) {
    const std::clock_t before = std::clock();
    solution = solve(problem, options, Context{});
    least = std::min(least, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  fmt::print("{},{},{},{},{},{},{},{:.4f},{},{},{:.2e}\n", cell.name, problem.samples(),
             problem.kernels(), regularizer, C, tolerance, without.empty() ? "-" : without, least,
             svm_solves(solution.history), solution.bank_passes,
             solution.certificate.relative_gap());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_ablation REPEATS [DATA.libsvm...]\n");
    return 2;
  }
  const int repeats = std::atoi(arguments[1]);
  std::vector<std::string> left_out = {""};
  for (const StrategyInfo& info : strategy_list()) left_out.push_back(info.name);
  fmt::print("set,n,M,regularizer,C,tolerance,without,seconds,solves,passes,gap\n");
  for (const Case& cell : cases({arguments + 2, arguments + count})) {
    for (const char* regularizer : {"l1", "lp:p=2"}) {
      for (const double C : {0.1, 1.0, 10.0, 1000.0}) {
        for (const double tolerance : {1e-3, 1e-5}) {
          for (const std::string& name : left_out) {
            solve_cell(cell, regularizer, C, tolerance, name, repeats);
          }
        }
      }
    }
  }
  return 0;
}
