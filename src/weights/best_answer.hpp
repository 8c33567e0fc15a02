#pragma once
/// \file
/// The best certified answer of a solve, its history, and when it is over.

#include <chrono>
#include <functional>
#include <string>

#include "kernmix/answer.hpp"
#include "kernmix/context.hpp"
#include "weights/point.hpp"

namespace kernmix {

/// What a solve has cost so far.
struct Work {
  Index svm_solves = 0;
  Index bank_passes = 0;
  Index inner_iterations = 0;
};

/// Dual vectors of all tasks, end to end, and the task weights with which they prove a bound; none
/// of a sum.
struct Witness {
  Vector a;
  Vector gamma;
};

/// Keeps the pair (d, a) of the smallest gap, the one of the lowest primal value, and the dual
/// vector of the highest bound that was proven without a pass.
class BestAnswer {
 public:
  /// Both must outlive it.
  /// \param share       of the tolerance at which the solve ends
  /// \param make_exact  measures a point on the bank, where it was on K(d) in single precision:
  /// what
  ///                    would end the solve must hold
  BestAnswer(const SolverOptions& options, const Context& context, double share,
             std::function<void(Point&)> make_exact);

  /// Keeps the point where it is the best answer or the lowest primal value so far.
  void offer(const Point& point);
  /// A witness whose certificate is at least `bound`.
  void raise_dual(Witness witness, double bound);
  /// One iteration of the history, at weights d. \param with_weights  those of the lowest value too
  void record(ConstSpan d, const Work& work, const std::string& step, bool with_weights);

  [[nodiscard]] double relative_gap() const;
  /// The lowest primal value, and the highest dual one that any point or `witness` has.
  [[nodiscard]] double primal() const { return primal_; }
  [[nodiscard]] double dual() const { return dual_; }
  /// primal() - dual(), at least about half of the gap at which the solve ends.
  [[nodiscard]] double open_gap() const;
  /// primal() - dual(), where a proof is there; else infinite.
  [[nodiscard]] double proven_gap() const;

  /// The answer: the point of the smallest gap, or the lowest one together with witness().
  [[nodiscard]] const Point& answer() const { return is_proven() ? lowest_ : best_; }
  [[nodiscard]] bool is_proven() const;
  [[nodiscard]] const Point& lowest() const { return lowest_; }
  [[nodiscard]] const Witness& witness() const { return witness_; }
  [[nodiscard]] const std::vector<Iteration>& history() const { return history_; }

  [[nodiscard]] bool converged() const { return relative_gap() <= share_ * options_.tolerance; }
  [[nodiscard]] Status status() const;
  [[nodiscard]] bool finished() const { return stalled_ || status() != Status::stalled; }
  void give_up() { stalled_ = true; }
  /// The solver's own iterations, which are not those of the history, are used up.
  void reach_limit() { limited_ = true; }

 private:
  void recheck();

  const SolverOptions& options_;
  const Context& context_;
  double share_;
  std::function<void(Point&)> make_exact_;
  Point best_;
  Point lowest_;
  Witness witness_;
  double proven_;  ///< by the witness
  double primal_;
  double dual_;
  std::vector<Iteration> history_;
  bool stalled_ = false;
  bool limited_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace kernmix
