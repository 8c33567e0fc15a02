/// \file
/// The cost of T tasks (classes, labels) to a certified relative gap of 1e-2, from T = 2 to 1000:
/// every task with kernel weights of its own, and shared weights by the solvers of `sum` and
/// `minimax`. L1, hinge loss, C = 1, one thread, kernels in memory; once with few hard tasks among
/// easy ones, once with all about equally hard.
///
/// Seconds are processor seconds. SVM solves are those of single tasks, counted until the gap was
/// first 1e-1, until the weights were certified to 1e-2, and in all, with those that train every
/// task at the final weights. stochastic-approximation is stopped after 200 SVM solves a task, or
/// the number given where that is more; it certifies now and then, so that its counts may be half
/// as large again as was needed. Up to 100 tasks the numbers are means over several random
/// problems. Under each table the exponents: slopes of a least squares line through (log T, log
/// cost) from T = 10 on.
///
/// usage: bench_classes [largest T] [solves for each T]

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>

#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "many_tasks.hpp"
#include "regularizer/any.hpp"
#include "slope.hpp"
#include "timed_bank.hpp"

namespace {

using namespace kernmix;

constexpr Index kSamples = 300;
constexpr Index kKernels = 10;
constexpr double kCoarse = 1e-1;
constexpr double kTolerance = 1e-2;
constexpr Index kSolvesPerTask = 200;  ///< of stochastic-approximation, at most

/// What one method spent on one problem. Empty: not reached.
struct Cost {
  double seconds = 0.0;
  std::optional<double> solves_to_coarse;
  std::optional<double> solves_to_tolerance;
  double solves = 0.0;
  double gap = 0.0;  ///< the largest relative gap of any certificate
};

/// Solves, counted by `count`, until the relative gap was first at most `gap`.
template <typename History, typename Count>
std::optional<double> solves_to(const History& history, double gap, const Count& count) {
  for (const auto& step : history) {
    if (step.relative_gap <= gap) return static_cast<double>(count(step));
  }
  return std::nullopt;
}

std::optional<double> sum_of(std::optional<double> left, std::optional<double> right) {
  if (!left || !right) return std::nullopt;
  return *left + *right;
}

/// Every task by itself, to a gap of its own.
Cost separate(const ManyTasks& problem, Index /*most*/) {
  const auto count = [](const Iteration& step) { return step.number + 1; };
  SolverOptions options;
  options.tolerance = kTolerance;
  Cost cost;
  cost.solves_to_coarse = cost.solves_to_tolerance = 0.0;
  for (const Task& task : problem.tasks) {
    const Answer one = solve({*problem.bank, Hinge{}, L1{}, task.y, task.C}, options, Context{});
    cost.solves_to_coarse = sum_of(cost.solves_to_coarse, solves_to(one.history, kCoarse, count));
    cost.solves_to_tolerance =
        sum_of(cost.solves_to_tolerance, solves_to(one.history, kTolerance, count));
    cost.solves += static_cast<double>(one.history.size());
    cost.gap = std::max(cost.gap, one.certificate.relative_gap());
  }
  return cost;
}

Cost shared(const ManyTasks& problem, Coupling sharing, const std::string& solver, Index most) {
  const auto count = [](const Iteration& step) { return step.svm_solves; };
  SolverOptions options;
  options.solver = solver;
  options.tolerance = kTolerance;
  options.max_iterations = most;  // of stochastic-approximation: SVM solves
  const Answer together =
      solve({*problem.bank, Hinge{}, L1{}, problem.tasks, sharing}, options, Context{});
  return {0.0, solves_to(together.history, kCoarse, count),
          solves_to(together.history, kTolerance, count), static_cast<double>(together.svm_solves),
          together.certificate.relative_gap()};
}

struct Method {
  std::string name;
  std::function<Cost(const ManyTasks& problem, Index most)> run;
};

Method shared_method(Coupling sharing, const std::string& solver) {
  return {
      fmt::format("{}, {}", coupling_name(sharing), solver),
      [=](const ManyTasks& problem, Index most) { return shared(problem, sharing, solver, most); }};
}

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {"per class", separate},
      shared_method(Coupling::sum, "newton"),
      shared_method(Coupling::minimax, "lazy-bundle"),
      shared_method(Coupling::minimax, "stochastic-approximation")};
  return all;
}

/// Means, and the largest gap.
Cost mean(const std::vector<Cost>& costs) {
  Cost all;
  all.solves_to_coarse = all.solves_to_tolerance = 0.0;
  for (const Cost& cost : costs) {
    all.seconds += cost.seconds;
    all.solves += cost.solves;
    all.solves_to_coarse = sum_of(all.solves_to_coarse, cost.solves_to_coarse);
    all.solves_to_tolerance = sum_of(all.solves_to_tolerance, cost.solves_to_tolerance);
    all.gap = std::max(all.gap, cost.gap);
  }
  const auto count = static_cast<double>(costs.size());
  all.seconds /= count;
  all.solves /= count;
  if (all.solves_to_coarse) *all.solves_to_coarse /= count;
  if (all.solves_to_tolerance) *all.solves_to_tolerance /= count;
  return all;
}

std::string per_task(std::optional<double> number, Index T) {
  return number ? fmt::format("{:.3g}", *number / static_cast<double>(T)) : "–";
}

/// More problems where they are small: their numbers vary more.
Index problems_of(Index T) { return T <= 10 ? 4 : T <= 100 ? 2 : 1; }

/// Of one method on all problems of one T.
Cost measure(Hardness hardness, Index T, const Method& method, Index solves) {
  const Index most = std::max(kSolvesPerTask * T, solves / problems_of(T));
  std::vector<Cost> costs;
  for (Index seed = 1; seed <= problems_of(T); ++seed) {
    const ManyTasks problem =
        many_tasks(hardness, T, kSamples, kKernels, static_cast<unsigned>(seed));
    Tally tally;
    Cost cost;
    tally.time([&] { cost = method.run(problem, most); });
    cost.seconds = tally.seconds;
    costs.push_back(cost);
  }
  return mean(costs);
}

void print_row(Index T, const std::string& method, const Cost& cost) {
  fmt::print("| {} | {} | {:.3g} | {} | {} | {} | {} | {} | {:.1e} |\n", T, method, cost.seconds,
             per_task(1000.0 * cost.seconds, T), per_task(cost.solves_to_coarse, T),
             per_task(cost.solves_to_tolerance, T), per_task(cost.solves, T),
             std::llround(cost.solves), cost.gap);
  std::fflush(stdout);
}

/// Costs of one method against T, where they are known.
struct Growth {
  Vector sizes = {};
  Vector costs = {};
  void add(Index T, std::optional<double> cost) {
    if (T < 10 || !cost) return;
    sizes.push_back(static_cast<double>(T));
    costs.push_back(*cost);
  }
  [[nodiscard]] std::string exponent() const {
    return sizes.size() < 3 ? "–" : slope(sizes, costs);
  }
};

struct MethodGrowth {
  Growth seconds, to_coarse, to_tolerance, in_all;
  void add(Index T, const Cost& cost) {
    to_coarse.add(T, cost.solves_to_coarse);
    to_tolerance.add(T, cost.solves_to_tolerance);
    if (!cost.solves_to_tolerance) return;  // stopped before
    seconds.add(T, cost.seconds);
    in_all.add(T, cost.solves);
  }
};

void print_table(const std::string& title, Hardness hardness, Index largest, Index solves) {
  fmt::print(
      "## {}\n\n| T | method | seconds | ms a task | solves a task to 1e-1 | to 1e-2 | in all | "
      "SVM solves | relative gap |\n|---|---|---|---|---|---|---|---|---|\n",
      title);
  std::vector<MethodGrowth> growth(methods().size());
  for (const Index T : {2, 5, 10, 30, 100, 300, 1000}) {
    if (T > largest) break;
    for (std::size_t k = 0; k < growth.size(); ++k) {
      const Cost cost = measure(hardness, T, methods()[k], solves);
      print_row(T, methods()[k].name, cost);
      growth[k].add(T, cost);
    }
  }
  fmt::print(
      "\n| method | exponent of seconds | of solves to 1e-1 | of solves to 1e-2 | of solves in all "
      "|\n|---|---|---|---|---|\n");
  for (std::size_t k = 0; k < growth.size(); ++k) {
    const MethodGrowth& g = growth[k];
    fmt::print("| {} | {} | {} | {} | {} |\n", methods()[k].name, g.seconds.exponent(),
               g.to_coarse.exponent(), g.to_tolerance.exponent(), g.in_all.exponent());
  }
  fmt::print("\n");
}

}  // namespace

int main(int count, char** arguments) {
  const Index largest = count > 1 ? std::atol(arguments[1]) : 30;
  const Index solves = count > 2 ? std::atol(arguments[2]) : 5000;
  print_table("5 % hard tasks", Hardness::few, largest, solves);
  print_table("all tasks equally hard", Hardness::all, largest, solves);
  return 0;
}
