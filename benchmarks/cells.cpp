/// \file
/// Every supported cell of loss x regularizer x solver on one data set, at C in {0.1, 1, 10, 100}
/// and, where the loss has none, at its own parameter: asked for a certified relative gap of 1e-6,
/// how many reach it, and how many 1e-3, within 1000 iterations and the seconds allowed, and which
/// is the worst.
///
/// usage: bench_cells DATA TARGET SECONDS [SOLVER...]     DATA: a LIBSVM file or `demo`;
///                                                        TARGET: classes or numbers

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

#include "kernmix/bank/build.hpp"
#include "kernmix/kernmix.hpp"
#include "kernmix/solve.hpp"
#include "kernmix/two_stage.hpp"
#include "protocol.hpp"

namespace {

using namespace kernmix;

Table read_data(const std::string& name) {
  if (name != "demo") return read_table({name}, {});
  ReadOptions options;
  options.label_column = "diagnosis";
  options.id_column = "sample";
  return read_table({"examples/data/breast_cancer_train.csv"}, options);
}

/// Four Gaussian widths on all columns, two on each, and polynomials; trace normalised.
std::unique_ptr<KernelBank> small_bank(const Table& table) {
  Table scaled = table;
  scaled.values = Scaling::fit(ScalingRule::standard, table.values).apply(table.values);
  const std::vector<std::string> expressions = {"rbf(width=2^0..2^3) on all",
                                                "rbf(width=2^0..2^1) on all, each",
                                                "poly(degree=1..2, coef0=1) on all"};
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  for (const KernelDescription& kernel :
       expand_kernels(expressions, {{"data", table.columns, KernelInput::features}},
                      parse_normalization("trace"))) {
    const auto columns = std::make_shared<const Matrix>(select_columns(scaled, kernel.columns));
    const auto source = feature_source(kernel.function, columns, columns);
    sources.push_back(
        normalized_source(source, fit_normalization(kernel.normalization, *source), true));
    names.push_back(kernel.name());
  }
  return build_bank(sources, names, {}, Context{});
}

/// Groups that cut across kinds of kernels.
std::vector<Index> three_groups(Index M) {
  std::vector<Index> group;
  for (Index m = 0; m < M; ++m) group.push_back(m % 3);
  return group;
}

struct Tally {
  int cells = 0;
  int to_default = 0;  ///< cells with a gap <= 1e-3
  int to_tight = 0;    ///< cells with a gap <= 1e-6
  double worst = 0.0;
  std::string where = "-";

  void add(double gap, const std::string& cell) {
    ++cells;
    if (gap <= 1e-3) ++to_default;
    if (gap <= 1e-6) ++to_tight;
    if (gap > worst && gap > 1e-6) {
      worst = gap;
      where = cell;
    }
  }
};

double gap_of(const Problem& problem, const std::string& solver, int seconds) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-6;
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  return solve(problem, options, context).certificate.relative_gap();
}

/// \param C  nothing: the losses that have nu (or lambda) in its place
void run_solver(const KernelBank& bank, const Vector& y, Target target, const std::string& solver,
                std::optional<double> C, int seconds) {
  Tally tally;
  for (const LossInfo& loss_row : losses()) {
    const Loss loss = parse_loss(loss_row.example);
    const bool fits = loss_target(loss) == target || loss_target(loss) == Target::none;
    if (!fits || takes_cost(loss) != C.has_value() || on_distances(loss)) continue;
    if (joins_classes(loss)) continue;  // of two classes the hinge again
    for (const RegularizerInfo& row : regularizers()) {
      if (row.syntax.starts_with("fixed")) continue;
      const Regularizer regularizer =
          with_groups(parse_regularizer(row.example), three_groups(bank.kernels()));
      const Bias bias = solver == "ufo" ? Bias::none : Bias::free;
      SolverOptions options;
      options.solver = solver;
      try {
        check_solver({loss, regularizer, bias}, options);
      } catch (const ParameterError&) {
        continue;
      }
      Problem problem{bank,
                      loss,
                      regularizer,
                      y,
                      Vector(y.size(), loss_weight(loss, C.value_or(1.0), length(y))),
                      bias};
      problem.regularizer = choose_weights(problem, {});
      tally.add(gap_of(problem, solver, seconds),
                fmt::format("{}, {}", loss_row.example, row.example));
    }
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", solver, C ? fmt::format("{}", *C) : "none",
             tally.cells, tally.to_default, tally.to_tight,
             tally.worst > 0.0 ? fmt::format("{:.1e}", tally.worst) : "-", tally.where);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    fmt::print(stderr, "usage: bench_cells DATA.libsvm|demo classes|numbers SECONDS [SOLVER...]\n");
    return 2;
  }
  const bool numbers = std::string(arguments[2]) == "numbers";
  const int seconds = std::atoi(arguments[3]);
  std::vector<std::string> solvers(arguments + 4, arguments + count);
  if (solvers.empty()) {
    solvers = solver_names();
    solvers.insert(solvers.begin(), "auto");
  }
  const Table table = read_data(arguments[1]);
  const Vector y =
      numbers ? numbers_of(table.labels) : BinaryLabels::find(table.labels).encode(table.labels);
  const auto bank = small_bank(table);
  fmt::print("{}: {} samples, {} kernels; {} s a cell at most.\n\n", set_name(arguments[1]),
             bank->samples(), bank->kernels(), seconds);
  fmt::print(
      "| solver | C | cells | reached 1e-3 | reached 1e-6 | worst gap | of |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const std::string& solver : solvers) {
    for (const std::optional<double> C :
         {std::optional(0.1), std::optional(1.0), std::optional(10.0), std::optional(100.0),
          std::optional<double>()}) {
      run_solver(*bank, y, numbers ? Target::numbers : Target::classes, solver, C, seconds);
    }
  }
  return 0;
}
