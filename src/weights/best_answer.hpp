#pragma once
/// \file
/// The best certified answer of a solve, its history, and the stopping rule.

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "kernmix/answer.hpp"
#include "kernmix/context.hpp"
#include "weights/point.hpp"

namespace kernmix {

/// The cost of a solve so far.
struct Work {
  Index svm_solves = 0;
  Index bank_passes = 0;
  Index inner_iterations = 0;
};

/// A proof of a lower bound: the dual vectors of all tasks, end to end, and the task weights. The
/// task weights are empty if the objective is a sum over tasks.
struct Witness {
  Vector a;
  Vector gamma;
};

/// Keeps three results: the pair (d, a) with the smallest gap, the pair with the lowest primal
/// value, and the dual vector with the highest bound that was proven without a pass over the bank.
class BestAnswer {
 public:
  /// `options` and `context` must outlive this object.
  /// \param share       part of the tolerance at which the solve ends
  /// \param make_exact  evaluates a point on the bank if it was evaluated on K(d) in single
  ///                    precision; the solver calls it before it accepts a final answer
  BestAnswer(const SolverOptions& options, const Context& context, double share,
             std::function<void(Point&)> make_exact);

  /// Stores the point if it is the best answer or has the lowest primal value so far.
  void offer(const Point& point);
  /// Records a witness whose certificate is at least `bound`.
  void raise_dual(Witness witness, double bound);
  /// Adds one iteration at weights d to the history.
  /// \param with_weights  whether to store the weights of the lowest primal value, too
  void record(ConstSpan d, const Work& work, const std::string& step, bool with_weights);

  [[nodiscard]] double relative_gap() const;
  /// The lowest primal value, and the highest dual value of any point or witness.
  [[nodiscard]] double primal() const { return primal_; }
  [[nodiscard]] double dual() const { return dual_; }
  /// primal() - dual(), but at least about half of the gap at which the solve ends.
  [[nodiscard]] double open_gap() const;
  /// primal() - dual() if a witness exists, otherwise infinity.
  [[nodiscard]] double proven_gap() const;

  /// The answer: the point with the smallest gap, or the point with the lowest primal value
  /// together with witness().
  [[nodiscard]] const Point& answer() const { return is_proven() ? lowest_ : best_; }
  [[nodiscard]] bool is_proven() const;
  [[nodiscard]] const Point& lowest() const { return lowest_; }
  [[nodiscard]] const Witness& witness() const { return witness_; }
  [[nodiscard]] const std::vector<Iteration>& history() const { return history_; }

  [[nodiscard]] bool converged() const { return relative_gap() <= share_ * options_.tolerance; }
  [[nodiscard]] Status status() const;
  [[nodiscard]] bool finished() const { return stalled_ || status() != Status::stalled; }
  void give_up() { stalled_ = true; }
  /// The solver ends the run: at its own iteration limit, which the history does not count, or by
  /// its own rule.
  void end(Status status) { ended_ = status; }

 private:
  void recheck();

  const SolverOptions& options_;
  const Context& context_;
  double share_;
  std::function<void(Point&)> make_exact_;
  Point best_;
  Point lowest_;
  Witness witness_;
  double proven_;  ///< proven by the witness
  double primal_;
  double dual_;
  std::vector<Iteration> history_;
  bool stalled_ = false;
  std::optional<Status> ended_;  ///< by the solver
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace kernmix
