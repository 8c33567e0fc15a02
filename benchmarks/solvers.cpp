/// \file
/// Outer solvers on the SimpleMKL protocol: how many SVM solves, bank passes and seconds to a
/// relative gap of 1e-3 and 1e-6, one thread.
///
/// usage: bench_solvers DATA.libsvm [SOLVER...]

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "kernmix/kernmix.hpp"
#include "loss/any.hpp"
#include "protocol.hpp"
#include "svm_solves.hpp"

namespace {

using namespace kernmix;

void run_cell(const Problem& problem, const std::string& solver, double C) {
  for (const double tolerance : {1e-3, 1e-6}) {
    SolverOptions options;
    options.solver = solver;
    options.tolerance = tolerance;
    options.max_iterations = 200;
    const auto start = std::chrono::steady_clock::now();
    const Answer solution = solve(problem, options, Context{});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("| {} | {} | {} | {:.0e} | {:.1e} | {} | {} | {} | {:.3f} |\n",
               regularizer_text(problem.regularizer), C, solver, tolerance,
               solution.certificate.relative_gap(), svm_solves(solution.history),
               solution.bank_passes, solution.inner_iterations, seconds.count());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_solvers DATA.libsvm [SOLVER...]\n");
    return 2;
  }
  std::vector<std::string> solvers(arguments + 2, arguments + count);
  if (solvers.empty()) solvers = {"auto", "alternating"};
  const Table table = read_table({arguments[1]}, {});
  const Vector y = BinaryLabels::find(table.labels).encode(table.labels);
  const auto bank = protocol_bank(table);
  fmt::print("{}: {} samples, {} kernels\n\n", set_name(arguments[1]), bank->samples(),
             bank->kernels());
  fmt::print(
      "| regularizer | C | solver | asked | relative gap | SVM solves | passes | SMO iterations "
      "| seconds |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const char* regularizer : {"l1", "lp:p=1.1", "lp:p=1.333", "lp:p=2", "lp:p=4"}) {
    for (const double C : {0.01, 1.0, 100.0}) {
      const Problem problem{*bank, Hinge{}, parse_regularizer(regularizer), y, Vector(y.size(), C)};
      for (const std::string& solver : solvers) run_cell(problem, solver, C);
    }
  }
  return 0;
}
