#pragma once
/// \file
/// The named solvers as values: what each takes, and its main loop.

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "weights/objective.hpp"
#include "weights/tasks/joint_run.hpp"
#include "weights/tasks/shared_run.hpp"

namespace kernmix {

/// `smo-mkl` before its name said which SMO it is.
inline constexpr const char* old_solver_name = "smo";

/// What a solver takes, and why not the others.
struct SolverFacts {
  std::string name;
  std::string needs;          ///< of the regularizer
  std::string needs_of_loss;  ///< or empty
  std::optional<Bias> needs_bias;
  bool (*takes)(const Regularizer&);
  bool (*takes_loss)(const Loss&);
  bool (*couples)(Coupling);
};

template <typename Run>
struct SolverRow : SolverFacts {
  void (*run)(const Regularizer&, Run&);
};

/// The row of a solver: a struct with a `name`, `takes<R>` and `needs` (which regularizers, and why
/// not the others), where it is choosy also `takes_loss<L>` with `needs_of_loss`, `needs_bias` and
/// `couples`; and run(), the main loop. Regularizers of fixed weights need no solver.
template <typename S, typename Run>
[[nodiscard]] SolverRow<Run> solver_row() {
  SolverRow<Run> row;
  row.name = S::name;
  row.needs = S::needs;
  if constexpr (requires { S::needs_of_loss; }) row.needs_of_loss = S::needs_of_loss;
  if constexpr (requires { S::needs_bias; }) row.needs_bias = S::needs_bias;
  row.takes = [](const Regularizer& regularizer) {
    return holds_for(regularizer.any(), []<typename R>() { return S::template takes<R>; });
  };
  row.takes_loss = [](const Loss& loss) {
    return holds_for(loss.any(), []<typename L>() {
      if constexpr (requires { S::template takes_loss<L>; }) return S::template takes_loss<L>;
      return true;
    });
  };
  row.couples = [](Coupling coupling) {
    if constexpr (requires { S::couples(coupling); }) return S::couples(coupling);
    return true;
  };
  row.run = [](const Regularizer& regularizer, Run& run) {
    visit(
        [&]<typename R>(const R& own) {
          if constexpr (!HasFixedWeights<R> && S::template takes<R>) S::run(own, run);
        },
        regularizer);
  };
  return row;
}

/// In the order in which `auto` tries them: of one task, of several, of classes trained together.
template <typename Run>
[[nodiscard]] const std::vector<SolverRow<Run>>& solver_rows();
template <>
const std::vector<SolverRow<Objective>>& solver_rows();
template <>
const std::vector<SolverRow<SharedRun>>& solver_rows();
template <>
const std::vector<SolverRow<JointRun>>& solver_rows();

/// Why the solver does not take such a problem; empty where it does.
[[nodiscard]] std::string refusal(const SolverFacts& solver, const ProblemKind& kind);

/// \returns the place of the solver. \throws ParameterError naming what does not fit
[[nodiscard]] std::size_t choose_place(const std::vector<const SolverFacts*>& solvers,
                                       const ProblemKind& kind, const std::string& name);

template <typename Run>
[[nodiscard]] std::vector<const SolverFacts*> facts_of(const std::vector<SolverRow<Run>>& rows) {
  std::vector<const SolverFacts*> facts;
  for (const SolverRow<Run>& row : rows) facts.push_back(&row);
  return facts;
}

template <typename Run>
[[nodiscard]] const SolverRow<Run>& choose(const std::vector<SolverRow<Run>>& rows,
                                           const ProblemKind& kind, const std::string& name) {
  return rows[choose_place(facts_of(rows), kind, name)];
}

}  // namespace kernmix
