#pragma once
/// \file
/// A strategy: one way to need fewer SVMs, or cheaper ones, than Newton's steps in the weights
/// alone. Each is a file in this folder that defines one value of this type.

#include <cstddef>
#include <memory>

#include "kernmix/bank/plan.hpp"
#include "kernmix/loss.hpp"
#include "weights/objective.hpp"
#include "weights/step_progress.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// What the memory plan knows before there is any kernel.
struct SolveShape {
  const Loss& loss;
  const Regularizer& regularizer;
  Index samples;
  const MemoryPlan& plan;
  Index factor_columns;   ///< of the factor that K(d) is made from; 0 where kernels are matrices
  Index triangles;        ///< of kernels in factors that the inner solver keeps
  bool solved_on_factor;  ///< K(d) is never a matrix
};

/// Steps that take the place of Newton's for a while.
class Steps {
 public:
  virtual ~Steps() = default;
  Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// Whether they may come next, from `point`.
  [[nodiscard]] virtual bool fits(const StepProgress& now, const Point& point) const = 0;
  /// What they expect to take to the end of the solve, in SVMs.
  [[nodiscard]] virtual double svms(const StepProgress& now, const Point& point) const = 0;
  /// Whether they come to the end by themselves: a search before them is not worth its SVMs.
  [[nodiscard]] virtual bool end_alone() const { return false; }
  /// Is shown every point that is evaluated.
  virtual void see(const Point& /*point*/) {}
  /// One step, or a few of them.
  [[nodiscard]] virtual Point step(Point point) = 0;
};

struct Strategy;

/// The first point of a solve, and who chose its weights: null where it was nobody.
struct Start {
  Point point;
  const Strategy* by = nullptr;
};

/// A strategy defines those functions that it takes part by; the others are null.
struct Strategy {
  const char* name;  ///< as in `--without NAME`
  const char* what;  ///< one sentence
  /// What it keeps beside the kernels and K(d), at most; null: next to nothing.
  std::size_t (*bytes)(const SolveShape& shape) = nullptr;
  /// Weights to begin with; empty where it has none for the problem.
  Vector (*start)(const WeightRules& rules, Objective& J) = nullptr;
  /// Its steps, from the first point of the solve on; null where the problem is not for them.
  std::unique_ptr<Steps> (*steps)(const WeightRules& rules, Objective& J,
                                  const Start& start) = nullptr;

  // Changes of Newton's own steps.

  /// The samples of a single task that the model at a point takes for free.
  FreeSet (*free)(const Objective& J, const Point& point) = nullptr;
  /// On the simplex: the minimiser of a model with more of the weights that it must not take, from
  /// the first step on that took some. That step is taken back.
  Vector (*keep)(const WeightModel& model, Vector x) = nullptr;
  bool (*took)(const Point& before, const Point& after) = nullptr;
  /// Is shown the weights that a model leads to before J is evaluated there.
  void (*foresee)(Objective& J, const Point& point, const LocalModel& model,
                  ConstSpan target) = nullptr;
};

}  // namespace kernmix
