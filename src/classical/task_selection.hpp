#pragma once
/// \file
/// Weights d are evaluated only as accurately as necessary: with cuts and earlier dual vectors
///
///   lower_k <= J_k(d) <= upper_k,   model = Phi(d) + sum_k lower_k,   upper = Phi(d) + sum_k
///   upper_k
///
/// (or max_k), tasks are solved, the most decisive ones first, until upper - model is a small
/// fraction of the open gap, or the model shows that d does not improve on the best weights.

#include "weights/objective.hpp"

namespace kernmix {

/// Selects the tasks to solve at the current weights, and their accuracy.
class TaskSelection {
 public:
  /// \param proven  for each task the largest cut at these weights, or -infinity
  TaskSelection(const Objective& J, Vector proven);

  /// The next tasks to solve; none at the end of the visit.
  [[nodiscard]] std::vector<Index> decisive(const Objective& J);
  /// The largest allowed difference between the bounds of each task.
  [[nodiscard]] double target(const Objective& J, Index k) const;

 private:
  void update(const Objective& J);
  [[nodiscard]] std::vector<Index> unvisited();

  Vector proven_;
  std::vector<int> visits_;
};

}  // namespace kernmix
