#include "kernmix/solver/solve.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <type_traits>

#include "blas_threads.hpp"
#include "kernmix/error.hpp"
#include "kernmix/solver/two_stage.hpp"
#include "solver/outer/alternating.hpp"
#include "solver/outer/mixed_norm.hpp"
#include "solver/outer/newton.hpp"
#include "solver/outer/run.hpp"
#include "solver/outer/saddle_newton.hpp"
#include "solver/outer/smo_mkl.hpp"
#include "solver/outer/ufo.hpp"

namespace kernmix {
namespace {

// The named outer solvers. A new one is a file in solver/outer/, a struct and a line in
// OuterSolver; `auto` takes the first that fits. `takes` says which regularizers, and `takes_loss`,
// where a solver has it, which losses.

struct Newton {
  static constexpr const char* name = "newton";
  static constexpr const char* needs = "closed-form weights and a minimiser of its quadratic model";
  template <typename R>
  static constexpr bool takes = HasBestWeights<R>&& HasModelMinimizer<R>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    newton(regularizer, run);
  }
};

struct Alternating {
  static constexpr const char* name = "alternating";
  static constexpr const char* needs = "closed-form weights";
  template <typename R>
  static constexpr bool takes = HasBestWeights<R> || HasSaddleWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    if constexpr (HasSaddleWeights<R>) {
      alternating_saddle(regularizer, run);
    } else {
      alternating(regularizer, run);
    }
  }
};

struct DualAveraging {
  static constexpr const char* name = "ufo";
  static constexpr const char* needs = "a strongly convex block norm with weights from its dual";
  template <typename R>
  static constexpr bool takes = IsStronglyConvex<R>&& HasMaximizingWeights<R>;
  static constexpr const char* needs_of_loss = "a loss of bounded slope";
  template <typename L>
  static constexpr bool takes_loss = HasQuadraticDual<L>&& HasBoundedSlope<L>;
  static constexpr Bias needs_bias = Bias::none;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    const auto weights = [&](ConstSpan q, MutableSpan d) { regularizer.maximizing_weights(q, d); };
    ufo(regularizer.initial_weights(run.kernels()), weights, run);
  }
};

struct PairUpdates {
  static constexpr const char* name = "smo";
  static constexpr const char* needs = "a penalty that makes the dual smooth, with its curvature";
  template <typename R>
  static constexpr bool takes = HasMaximizingWeights<R>&& HasSupportCurvature<R>;
  static constexpr const char* needs_of_loss = "a piecewise linear or quadratic loss";
  template <typename L>
  static constexpr bool takes_loss = IsSeparableLoss<L>&& HasQuadraticDual<L>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    const SmoothSupport support{
        [&](ConstSpan q, MutableSpan d) { regularizer.maximizing_weights(q, d); },
        [&](ConstSpan q, ConstSpan d) { return regularizer.support_curvature(q, d); }};
    smo_mkl(regularizer.initial_weights(run.kernels()), support, run);
  }
};

struct SaddleNewton {
  static constexpr const char* name = "saddle-newton";
  static constexpr const char* needs = "weights that are a saddle point, as those of q > 2 are";
  template <typename R>
  static constexpr bool takes = HasSaddleWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    saddle_newton(regularizer, run);
  }
};

struct MixedNormSound {
  static constexpr const char* name = "mixed-norm-sound";
  static constexpr const char* needs = SaddleNewton::needs;
  template <typename R>
  static constexpr bool takes = HasSaddleWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    mixed_norm_sound(regularizer, run);
  }
};

struct MixedNormPrinted {
  static constexpr const char* name = "mixed-norm-printed";
  static constexpr const char* needs = SaddleNewton::needs;
  template <typename R>
  static constexpr bool takes = HasSaddleWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    mixed_norm_printed(regularizer, run);
  }
};

using OuterSolver = std::variant<Newton, SaddleNewton, Alternating, MixedNormSound,
                                 MixedNormPrinted, DualAveraging, PairUpdates>;
constexpr std::array<OuterSolver, 7> kOuterSolvers = {
    Newton{},           SaddleNewton{},  Alternating{}, MixedNormSound{},
    MixedNormPrinted{}, DualAveraging{}, PairUpdates{}};

/// D is one point: nothing outside the SVM to solve, whatever solver was asked for.
template <HasFixedWeights R>
void fixed_weights(const R& regularizer, Run& run) {
  const Vector d = regularizer.initial_weights(run.kernels());
  double before = std::numeric_limits<double>::infinity();
  while (true) {
    run.evaluate(d, "svm");
    if (run.finished()) return;
    if (run.best_relative_gap() > 0.9 * before) run.give_up();
    before = run.best_relative_gap();
  }
}

template <typename S, typename R>
constexpr bool supported = HasFixedWeights<R> || S::template takes<R>;

std::string known_solvers() {
  std::string names = "auto";
  for (const OuterSolver& solver : kOuterSolvers) {
    names += std::visit([](const auto& s) { return fmt::format(", {}", s.name); }, solver);
  }
  return names;
}

/// Why no solver at all can take the pair; empty where one can.
std::string pair_refusal(const Loss& loss, const Regularizer& regularizer) {
  return std::visit(
      []<typename L, typename R>(const L& l, const R& r) -> std::string {
        if constexpr (std::is_same_v<R, TwoStage> && L::target == Target::none) {
          return fmt::format("{} has no targets, and {} finds its weights from them", l.text(),
                             r.text());
        } else if constexpr (!IsSeparableLoss<L> && HasBoundedDual<R>) {
          return fmt::format(
              "{} fixes the size of the dual vector and {} bounds it: the problem has no solution "
              "for most parameters",
              l.text(), r.text());
        } else {
          return "";
        }
      },
      loss, regularizer);
}

/// Why the solver does not take the pair; empty where it does.
std::string refusal(const OuterSolver& solver, const Loss& loss, const Regularizer& regularizer) {
  std::string pair = pair_refusal(loss, regularizer);
  if (!pair.empty()) return pair;
  return std::visit(
      [&]<typename S, typename L, typename R>(const S& s, const L& l, const R& r) -> std::string {
        if (!supported<S, R>) {
          return fmt::format("solver {} does not take regularizer {}: it needs {}", s.name,
                             r.text(), s.needs);
        }
        if constexpr (requires { S::template takes_loss<L>; }) {
          if (!HasFixedWeights<R> && !S::template takes_loss<L>) {
            return fmt::format("solver {} does not take loss {}: it needs {}", s.name, l.text(),
                               s.needs_of_loss);
          }
        }
        return "";
      },
      solver, loss, regularizer);
}

OuterSolver choose(const std::string& name, const Loss& loss, const Regularizer& regularizer) {
  std::string why;
  for (const OuterSolver& solver : kOuterSolvers) {
    const bool named = std::visit([&](const auto& s) { return name == s.name; }, solver);
    if (!named && name != "auto") continue;
    why = refusal(solver, loss, regularizer);
    if (why.empty()) return solver;
    if (named) throw ParameterError(why);
  }
  if (name == "auto") throw ParameterError(why);
  throw ParameterError(fmt::format("unknown solver '{}', known are {}", name, known_solvers()));
}

void check_bias(const OuterSolver& solver, const Problem& problem) {
  std::visit(
      [&]<typename S, typename R>(const S& s, const R&) {
        if constexpr (requires { S::needs_bias; }) {
          if (HasFixedWeights<R> || problem.bias == S::needs_bias) return;
          throw ParameterError(fmt::format("solver {} needs bias {}, got {}", s.name,
                                           bias_name(S::needs_bias), bias_name(problem.bias)));
        }
      },
      solver, problem.regularizer);
}

void check(const SolverOptions& options) {
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0)) {
    throw ParameterError(fmt::format("tolerance must be > 0 and < 1, got {}", options.tolerance));
  }
  if (options.max_iterations < 1) {
    throw ParameterError(
        fmt::format("max_iterations must be >= 1, got {}", options.max_iterations));
  }
}

}  // namespace

std::string status_name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::time_limit:
      return "time limit";
    case Status::interrupted:
      return "interrupted";
    case Status::stalled:
      return "stalled";
  }
  return "unknown";
}

void check_solver(const Loss& loss, const Regularizer& regularizer, const SolverOptions& options) {
  check(options);
  static_cast<void>(choose(options.solver, loss, regularizer));
}

Solution solve(const Problem& problem, const SolverOptions& options, const Context& context) {
  check_solver(problem.loss, problem.regularizer, options);
  validate(problem);
  const auto* two_stage = std::get_if<TwoStage>(&problem.regularizer);
  if (two_stage != nullptr && !two_stage->known()) {
    Problem second_stage = problem;
    second_stage.regularizer = choose_weights(problem, context);
    return solve(second_stage, options, context);
  }
  const OuterSolver solver = choose(options.solver, problem.loss, problem.regularizer);
  check_bias(solver, problem);
  const SerialBlas serial_blas;
  return std::visit(
      [&](const auto& s, const auto& r) {
        using S = std::decay_t<decltype(s)>;
        using R = std::decay_t<decltype(r)>;
        Run run(HasFixedWeights<R> ? "svm" : s.name, problem, options, context);
        if constexpr (HasFixedWeights<R>) {
          fixed_weights(r, run);
        } else if constexpr (supported<S, R>) {
          S::run(r, run);
        }
        return run.result();
      },
      solver, problem.regularizer);
}

std::vector<Support> support_matrix() {
  std::vector<Support> cells;
  for (const LossInfo& loss_row : losses()) {
    const Loss loss = parse_loss(loss_row.example);
    for (const RegularizerInfo& row : regularizers()) {
      const Regularizer regularizer = parse_regularizer(row.example);
      for (const OuterSolver& solver : kOuterSolvers) {
        const std::string why = refusal(solver, loss, regularizer);
        const std::string name = std::visit([](const auto& s) { return s.name; }, solver);
        cells.push_back({loss_row.syntax, row.syntax, name, why.empty(), why});
      }
    }
  }
  return cells;
}

}  // namespace kernmix
