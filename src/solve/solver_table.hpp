#pragma once
/// \file
/// The named solvers: supported problems and main loop of each.

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/arguments.hpp"
#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The former name of `smo-mkl`.
inline constexpr const char* old_solver_name = "smo";

/// A solver: the supported problems, reasons for unsupported ones, and its main loop.
struct Solver {
  std::string name;
  std::string needs;          ///< of the regularizer
  std::string needs_of_loss;  ///< or empty
  std::optional<Bias> needs_bias;
  bool (*takes)(const Regularizer&);
  bool (*takes_loss)(const Loss&);
  bool (*couples)(Coupling);
  bool joins_classes;  ///< supports losses of all classes together
  /// Of "name:p=1", where the solver has numbers of its own. Throws ParameterError.
  void (*check_text)(const std::string&);
  void (*run)(const Regularizer&, Objective&);
};

/// A solver from its struct: one with a `name`, `takes<R>` and `needs` (supported regularizers, and
/// the requirement for messages), and optionally `takes_loss<L>` with `needs_of_loss`,
/// `needs_bias`, `couples` and `joins_classes`, where it has numbers `check_text`; and run(), the
/// main loop. Regularizers of fixed weights need no solver.
template <typename S>
[[nodiscard]] Solver solver_row() {
  Solver row;
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
  row.joins_classes = requires { requires S::joins_classes; };
  row.check_text = [](const std::string& text) {
    if constexpr (requires { S::check_text(text); }) {
      S::check_text(text);
    } else {
      expect_no_arguments(text);
    }
  };
  row.run = [](const Regularizer& regularizer, Objective& J) {
    visit(
        [&]<typename R>(const R& own) {
          if constexpr (!HasFixedWeights<R> && S::template takes<R>) S::run(own, J);
        },
        regularizer);
  };
  return row;
}

/// The solvers for single tasks or for shared weights, in the order of `auto`.
[[nodiscard]] const std::vector<Solver>& solvers_of(Coupling coupling);

/// Why the solver does not support this problem; empty if it does.
[[nodiscard]] std::string refusal(const Solver& solver, const ProblemKind& kind);

/// \throws ParameterError naming the unsupported option
[[nodiscard]] const Solver& choose(const ProblemKind& kind, const std::string& name);

}  // namespace kernmix
