#include "solve/separate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "kernmix/error.hpp"
#include "problem/separate.hpp"
#include "problem/without_end.hpp"
#include "solve/append_history.hpp"

namespace kernmix {
namespace {

Answer solve_task(const Problem& problem, Index k, const SolverOptions& options,
                  const Context& context) {
  const Late late = k == 0 ? Late::trained_for_a_moment : Late::untrained;
  Problem own = alone(problem, k);
  const std::vector<Index> rows = std::exchange(own.tasks.front().rows, {});
  if (rows.empty()) return solve_by_time(own, options, context, late);
  const std::unique_ptr<KernelBank> bank = problem.bank.restricted(rows, context);
  Problem part(*bank, own.loss, own.regularizer, std::move(own.tasks), Coupling::separate,
               own.bias);
  part.diagonals = own.diagonals;
  return solve_by_time(part, options, context, late);
}

/// The first weights and a = 0, or the point of A closest to it.
Answer untrained(const Problem& problem, Index k, const Context& context) {
  const Index M = problem.kernels();
  const Problem own = alone_at(problem, Vector(to_size(M), 1.0 / static_cast<double>(M)), k);
  Answer answer;
  answer.d = initial_weights(own.regularizer, M);
  answer.a = feasible_duals(own, {Vector(own.y().size(), 0.0)});
  answer.gamma = {1.0};
  answer.certificate =
      certify(own, answer.d, answer.a, without_end(context), answer.gamma).certificate;
  answer.status = context.is_cancelled() ? Status::interrupted : Status::time_limit;
  return answer;
}

/// A task for whose kernels no time is left is untrained if there are earlier ones, which are kept.
Answer solve_in_time(const Problem& problem, Index k, const SolverOptions& options,
                     const Context& context) {
  try {
    return solve_task(problem, k, options, context);
  } catch (const ResourceError&) {
    if (k == 0 || !ended_in_use(context)) throw;
    return untrained(problem, k, context);
  }
}

/// A witness has a part for every task; tasks without one contribute their dual vector.
void append_witness(const Answer& more, Answer& all) {
  if (more.witness.empty() && all.witness.empty()) return;
  for (std::size_t k = all.witness.size(); k < all.a.size(); ++k) all.witness.push_back(all.a[k]);
  all.witness.push_back(more.witness.empty() ? more.a.front() : more.witness.front());
}

void append_answer(Answer more, const std::string& task, Answer& all) {
  for (Iteration& step : more.history) step.step = fmt::format("{}: {}", task, step.step);
  append_history(more, all.history.empty() ? 0.0 : all.history.back().seconds, all);
  append_witness(more, all);
  std::ranges::copy(more.d, std::back_inserter(all.d));
  all.a.push_back(std::move(more.a.front()));
  all.gamma.push_back(1.0);
  append(std::move(more.certificate), all.certificate);
  if (all.status == Status::converged) all.status = more.status;
  if (all.solver.empty()) all.solver = more.solver;
}

}  // namespace

Answer solve_separately(const Problem& problem, const SolverOptions& options,
                        const Context& context) {
  SolverOptions of_each = options;
  of_each.moments = 0;
  if (has_separate_weights(problem)) of_each.start.a.clear();
  Answer all;
  all.status = Status::converged;
  for (Index k = 0; k < problem.size(); ++k) {
    const std::string name = fmt::format("task {}", k + 1);
    try {
      append_answer(solve_in_time(problem, k, of_each, context), name, all);
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", name, error.what()));
    }
  }
  return all;
}

}  // namespace kernmix
