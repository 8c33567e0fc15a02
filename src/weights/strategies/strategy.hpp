#pragma once
/// \file
/// A strategy: a way to need fewer or cheaper SVMs than Newton steps in the weights alone. Each
/// strategy is a file in this folder that defines one value of this type.

#include <cstddef>
#include <memory>

#include "kernmix/bank/plan.hpp"
#include "kernmix/loss.hpp"
#include "weights/objective.hpp"
#include "weights/step_progress.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// The information available to the memory plan before any kernel is computed.
struct SolveShape {
  const Loss& loss;
  const Regularizer& regularizer;
  Index samples;
  const MemoryPlan& plan;
  Index factor_columns;   ///< columns of the factor of K(d); 0 if kernels are matrices
  Index triangles;        ///< cached triangles of kernels stored as factors
  bool solved_on_factor;  ///< K(d) is never stored as a matrix
};

/// Steps that temporarily replace Newton steps.
class Steps {
 public:
  virtual ~Steps() = default;
  Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// Whether the steps are applicable next, from `point`.
  [[nodiscard]] virtual bool fits(const StepProgress& now, const Point& point) const = 0;
  /// The expected cost to the end of the solve, in SVMs.
  [[nodiscard]] virtual double svms(const StepProgress& now, const Point& point) const = 0;
  /// Whether the steps could finish the solve on their own. If so, a long line search before them
  /// does not pay off.
  [[nodiscard]] virtual bool end_alone() const { return false; }
  /// Receives every evaluated point.
  virtual void see(const Point& /*point*/) {}
  /// Takes one or several steps.
  [[nodiscard]] virtual Point step(Point point) = 0;
};

struct Strategy;

/// The first point of a solve, and the strategy that chose its weights, or null if no strategy did.
struct Start {
  Point point;
  const Strategy* by = nullptr;
};

/// A strategy defines the functions that it needs. The others are null.
struct Strategy {
  const char* name;  ///< as in `--without NAME`
  const char* what;  ///< one sentence
  /// The largest amount of memory in addition to the kernels and K(d). Null stands for a negligible
  /// amount.
  std::size_t (*bytes)(const SolveShape& shape) = nullptr;
  /// The first weights. The result is empty if the strategy has no weights for the problem.
  Vector (*start)(const WeightRules& rules, Objective& J) = nullptr;
  /// Creates the steps for a solve with a given first point. The result is null if they do not
  /// apply to the problem.
  std::unique_ptr<Steps> (*steps)(const WeightRules& rules, Objective& J,
                                  const Start& start) = nullptr;

  // The functions below modify Newton's own steps.

  /// The samples of a single task that the model at a point treats as free.
  FreeSet (*free)(const Objective& J, const Point& point) = nullptr;
  /// Increases the needed weights in the minimiser of a model on the simplex. The solver calls
  /// `keep` after `took` has first reported a step that removed needed weights, and undoes that
  /// step.
  Vector (*keep)(const WeightModel& model, Vector x) = nullptr;
  bool (*took)(const Point& before, const Point& after) = nullptr;
  /// Receives the minimiser of a model before J is evaluated there.
  void (*foresee)(Objective& J, const Point& point, const LocalModel& model,
                  ConstSpan target) = nullptr;
};

}  // namespace kernmix
