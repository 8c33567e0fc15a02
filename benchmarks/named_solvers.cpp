/// \file
/// All named outer solvers on L1 and the SimpleMKL protocol: SVM solves and bank passes until the
/// certified relative gap is 1e-2, 1e-3 and 1e-6, in one run to 1e-6 of 500 solves at most.
///
/// usage: bench_named_solvers DATA.libsvm [SOLVER...]

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "kernmix/kernmix.hpp"
#include "loss/any.hpp"
#include "protocol.hpp"
#include "regularizer/any.hpp"
#include "svm_solves.hpp"

namespace {

using namespace kernmix;

/// "39 (41)": SVM solves and passes when the gap was reached; "-" where it never was.
std::string reached(const Answer& solution, double gap) {
  for (const Iteration& step : solution.history) {
    if (step.relative_gap <= gap) return fmt::format("{} ({})", step.number + 1, step.bank_passes);
  }
  return "-";
}

void run_cell(const Problem& problem, const std::string& solver, double C) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-6;
  options.max_iterations = 500;
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  const Answer solution = solve(problem, options, context);
  fmt::print("| {} | {} | {} | {} | {} | {:.1e} | {} ({}) | {} | {} |\n", C, solver,
             reached(solution, 1e-2), reached(solution, 1e-3), reached(solution, 1e-6),
             solution.certificate.relative_gap(), svm_solves(solution.history),
             solution.bank_passes, solution.inner_iterations, status_name(solution.status));
  std::fflush(stdout);
}

std::vector<std::string> solvers_of_l1() {
  std::vector<std::string> names;
  for (const Support& cell : support_matrix()) {
    if (cell.loss == "hinge" && cell.regularizer == "l1" && cell.supported) {
      names.push_back(cell.solver);
    }
  }
  return names;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_named_solvers DATA.libsvm [SOLVER...]\n");
    return 2;
  }
  std::vector<std::string> solvers(arguments + 2, arguments + count);
  if (solvers.empty()) solvers = solvers_of_l1();
  const Table table = read_table({arguments[1]}, {});
  const Vector y = BinaryLabels::find(table.labels).encode(table.labels);
  const auto bank = protocol_bank(table);
  fmt::print("{}: {} samples, {} kernels, L1, hinge loss. SVM solves (bank passes).\n\n",
             set_name(arguments[1]), bank->samples(), bank->kernels());
  fmt::print(
      "| C | solver | to 1e-2 | to 1e-3 | to 1e-6 | last gap | in all | SMO iterations | status |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const double C : {0.1, 1.0, 10.0, 100.0}) {
    const Problem problem{*bank, Hinge{}, L1{}, y, Vector(y.size(), C)};
    for (const std::string& solver : solvers) run_cell(problem, solver, C);
  }
  return 0;
}
