#pragma once
/// \file
/// What runs on several tasks or classes have in common: the best bounds
///
///   lower <= optimum <= upper,
///
/// the history, and when to stop.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "weights/tasks/moments.hpp"

namespace kernmix {

/// What a run has cost so far.
struct RunWork {
  Index svm_solves = 0;
  Index bank_passes = 0;
  Index inner_iterations = 0;
};

class RunBounds {
 public:
  /// Both must outlive it.
  RunBounds(const SolverOptions& options, const Context& context);

  /// Takes an upper bound. \returns whether it is the lowest, or the first
  bool offer_upper(double value);
  /// Takes a lower bound, less what rounding may take when its proof is certified in the end.
  /// \returns whether it is the highest
  bool offer_lower(double bound);
  /// Gaps are relative to this at least (docs/explanation/problem.md).
  void measure_by(double least_size) { least_size_ = least_size; }
  /// One iteration of the history, at weights d. \param best  weights of upper()
  /// \returns where moments of the run are kept and this is one of them: its seconds and solves
  std::optional<Snapshot> record(ConstSpan d, const Vector& best, const RunWork& work,
                                 const std::string& step);
  /// What record() gave, with the dual vectors at its weights.
  void keep(Snapshot moment) { moments_.keep(std::move(moment)); }

  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] double lower() const { return lower_; }
  [[nodiscard]] double relative_gap() const;
  /// upper - lower, at least about half of the gap at which the run ends.
  [[nodiscard]] double open_gap() const;
  /// True when the bounds are close enough or nothing more may be done.
  [[nodiscard]] bool finished() const { return stalled_ || status() != Status::stalled; }
  void give_up() { stalled_ = true; }
  /// The solver's own iterations, which are not those of the history, are used up.
  void reach_limit() { limited_ = true; }
  [[nodiscard]] Status status() const;

  /// Certifies an answer (d, a, gamma) on the bank, with `witness` where its bound is higher, and
  /// fills in all but its solver. \param ended  status() before its tasks were trained for it
  void finish(const Problem& problem, const std::vector<Vector>& witness, const RunWork& work,
              Status ended, Answer& answer);

 private:
  [[nodiscard]] Bounds bounds() const;
  /// The iterations, the last one with what cutting planes proved after it.
  [[nodiscard]] std::vector<Iteration> history() const;

  const SolverOptions& options_;
  const Context& context_;
  double upper_;
  double lower_;
  double least_size_ = 0.0;
  std::vector<Iteration> history_;
  Moments moments_;
  bool stalled_ = false;
  bool limited_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace kernmix
