#include "solve/solver_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "base/arguments.hpp"
#include "base/text.hpp"
#include "classical/lazy_bundle.hpp"
#include "classical/stochastic_approximation.hpp"
#include "kernmix/error.hpp"
#include "solve/outer_solver.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

template <typename... S>
std::vector<Solver> rows_of(std::type_identity<std::variant<S...>> /*list*/) {
  return {solver_row<S>()...};
}

std::vector<std::string> names_of(const std::vector<Solver>& solvers) {
  std::vector<std::string> names;
  for (const Solver& solver : solvers) names.push_back(solver.name);
  return names;
}

bool is_saddle(const Regularizer& regularizer) {
  return visit([]<typename R>(const R&) { return HasSaddleWeights<R>; }, regularizer);
}

/// True for losses that fix the size of the dual vector with regularizers that bound it.
bool fixes_what_is_bounded(const Loss& loss, const Regularizer& regularizer) {
  return learns_threshold(loss) &&
         visit([]<typename R>(const R&) { return HasBoundedDual<R>; }, regularizer);
}

/// Why no solver supports a single task of this kind; empty if some may.
std::string refusal_alone(const ProblemKind& kind, const std::string& loss,
                          const std::string& regularizer) {
  if (const auto* two_stage = get_if<TwoStage>(kind.regularizer)) {
    const Target target = loss_target(kind.loss);
    if (target == Target::none) {
      return fmt::format("{} has no targets, and {} computes its weights from targets", loss,
                         regularizer);
    }
    if (std::holds_alternative<Easy>(two_stage->rule) && target != Target::classes) {
      return fmt::format("{} has no classes, and {} computes its weights from two classes", loss,
                         regularizer);
    }
  }
  if (on_distances(kind.loss) && !weights_sum_to_one(kind.regularizer)) {
    return fmt::format("{} needs kernel weights that sum to 1, and those of {} need not sum to 1",
                       loss, regularizer);
  }
  if (!fixes_what_is_bounded(kind.loss, kind.regularizer)) return "";
  return fmt::format(
      "{} fixes the size of the dual vector and {} bounds it: the problem has no solution for most "
      "parameters",
      loss, regularizer);
}

/// The same for several tasks and for classes that are trained together.
std::string refusal_of_all(const ProblemKind& kind) {
  const std::string loss = loss_text(kind.loss);
  const std::string regularizer = regularizer_text(kind.regularizer);
  const bool together = joins_classes(kind.loss);
  if (together && kind.coupling != Coupling::separate) {
    return fmt::format(
        "{} trains all classes together, in one problem: leave scheme and sharing out, or choose "
        "hinge",
        loss);
  }
  if (!together && kind.coupling == Coupling::separate) {
    return refusal_alone(kind, loss, regularizer);
  }
  if (!together && loss_target(kind.loss) == Target::none) {
    return fmt::format("{} has no targets, so there are no tasks to share kernel weights", loss);
  }
  if (is<TwoStage>(kind.regularizer)) {
    return fmt::format("{} computes its weights from the targets of one task{}", regularizer,
                       together ? ", not of all classes" : "");
  }
  if (is_saddle(kind.regularizer)) {
    return fmt::format("{} has no convex set of weights that {} could share", regularizer,
                       together ? "classes" : "tasks");
  }
  if (!fixes_what_is_bounded(kind.loss, kind.regularizer)) return "";
  return fmt::format("{} fixes the size of the dual vector and {} bounds it", loss, regularizer);
}

/// Names of algorithms in papers: docs/reference/names.md.
constexpr std::array kOtherSolvers = {
    OtherName{"hessianmkl", "newton"},
    OtherName{"qcqp", "interior-point"},
    OtherName{"ipm", "interior-point"},
    OtherName{"shogun", "silp"},
    OtherName{"columngeneration", "silp"},
    OtherName{"semiinfinite", "silp"},
    OtherName{"levelmethod", "level"},
    OtherName{"simplemkl", "simple"},
    OtherName{"reducedgradient", "simple"},
    OtherName{"spggmkl", "spg"},
    OtherName{"wrapper", "alternating"},
    OtherName{"closedform", "alternating"},
    OtherName{"spicymkl", "spicy"},
    OtherName{"dal", "spicy"},
    OtherName{"ufomkl", "ufo"},
    OtherName{"exponentiatedgradient", "mirror-descent"},
    OtherName{"fw", "frank-wolfe"},
    OtherName{"conditionalgradient", "frank-wolfe"},
    OtherName{"awaysteps", "frank-wolfe"},
    OtherName{"mixnorm", "mixed-norm-sound"},
    OtherName{"mixnormmkl", "mixed-norm-sound"},
    OtherName{"mlmklsa", "stochastic-approximation"},
    OtherName{"subgradient", "stochastic-approximation"},
};

std::string unknown_solver(const std::string& name, const ProblemKind& kind) {
  std::vector<std::string> known = {"auto"};
  const bool together = joins_classes(kind.loss);
  for (const Solver& own : solvers_of(kind.coupling)) {
    if (!together || own.joins_classes) known.push_back(own.name);
  }
  const std::vector<std::string> sharing = solver_names(Coupling::minimax);
  if (kind.coupling == Coupling::separate && !together &&
      std::ranges::find(sharing, name_of(name)) != sharing.end()) {
    return fmt::format("solver {} is for several tasks that share kernel weights", name_of(name));
  }
  const char* whose = kind.coupling == Coupling::separate ? "" : " for shared weights";
  if (together) whose = " for classes trained together";
  std::vector<OtherName> others;  // of solvers of this problem
  std::ranges::copy_if(kOtherSolvers, std::back_inserter(others), [&](const OtherName& other) {
    return std::ranges::find(known, other.here) != known.end();
  });
  const std::string hint = did_you_mean(name_of(name), known, others);
  const std::string text =
      fmt::format("unknown solver '{}'{}, known are {}", name, whose, fmt::join(known, ", "));
  return hint.empty() ? text : fmt::format("{};{}", text, hint.substr(1));
}

}  // namespace

const std::vector<Solver>& solvers_of(Coupling coupling) {
  using Sharing = std::variant<Newton, LazyBundle, StochasticApproximation, Silp, MirrorDescent>;
  static const auto alone = rows_of(std::type_identity<OuterSolver>());
  static const auto sharing = rows_of(std::type_identity<Sharing>());
  return coupling == Coupling::separate ? alone : sharing;
}

std::string refusal(const Solver& solver, const ProblemKind& kind) {
  std::string of_all = refusal_of_all(kind);
  if (!of_all.empty()) return of_all;
  if (has_fixed_weights(kind.regularizer)) return "";
  if (!solver.couples(kind.coupling)) {
    return fmt::format("solver {} does not take sharing {}", solver.name,
                       coupling_name(kind.coupling));
  }
  if (joins_classes(kind.loss) && !solver.joins_classes) {
    return fmt::format(
        "solver {} does not take loss {}: it cannot train classes together; use newton",
        solver.name, loss_text(kind.loss));
  }
  if (!solver.takes(kind.regularizer)) {
    return fmt::format("solver {} does not take regularizer {}: it needs {}", solver.name,
                       regularizer_text(kind.regularizer), solver.needs);
  }
  if (!solver.takes_loss(kind.loss)) {
    return fmt::format("solver {} does not take loss {}: it needs {}", solver.name,
                       loss_text(kind.loss), solver.needs_of_loss);
  }
  return "";
}

const Solver& choose(const ProblemKind& kind, const std::string& name) {
  const std::string asked = name_of(name);
  const std::string present = asked == old_solver_name ? PairUpdates::name : asked;
  std::string why;
  for (const Solver& solver : solvers_of(kind.coupling)) {
    if (present != "auto" && present != solver.name) continue;
    std::string own = refusal(solver, kind);
    if (own.empty()) return solver;
    if (why.empty()) why = std::move(own);
  }
  if (why.empty()) throw ParameterError(unknown_solver(name, kind));
  const auto fits = [&](const Solver& other) { return refusal(other, kind).empty(); };
  // Other reasons name the solver to use.
  const bool others = why.find("it needs ") != std::string::npos &&
                      std::ranges::any_of(solvers_of(kind.coupling), fits);
  throw ParameterError(why + (others ? "; solver auto chooses one that fits" : ""));
}

void check_solver(const ProblemKind& kind, const SolverOptions& options) {
  check(options);
  const Solver& solver = choose(kind, options.solver);
  if (solver.name == name_of(options.solver)) solver.check_text(options.solver);
  if (!options.without.empty() && std::string_view(solver.name) != "newton") {
    throw ParameterError(fmt::format("without {}: it is a strategy of newton, but the solver is {}",
                                     options.without.front(), solver.name));
  }
  if (has_fixed_weights(kind.regularizer) || !solver.needs_bias) return;
  if (*solver.needs_bias == kind.bias) return;
  throw ParameterError(fmt::format("solver {} needs bias {}, got {}", solver.name,
                                   bias_name(*solver.needs_bias), bias_name(kind.bias)));
}

std::vector<std::string> solver_names(Coupling coupling) { return names_of(solvers_of(coupling)); }

std::vector<StrategyInfo> strategy_list() {
  std::vector<StrategyInfo> rows;
  for (const Strategy* one : kStrategies) rows.push_back({one->name, one->what});
  return rows;
}

std::vector<Support> support_matrix(Coupling coupling) {
  std::vector<Support> cells;
  for (const LossInfo& loss_row : losses()) {
    for (const RegularizerInfo& row : regularizers()) {
      const ProblemKind kind{parse_loss(loss_row.example), parse_regularizer(row.example),
                             Bias::free, coupling};
      for (const Solver& solver : solvers_of(coupling)) {
        const std::string why = refusal(solver, kind);
        cells.push_back({loss_row.syntax, row.syntax, solver.name, why.empty(), why});
      }
    }
  }
  return cells;
}

}  // namespace kernmix
