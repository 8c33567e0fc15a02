#pragma once
/// \file
/// Weights d are looked at until it is known how good they are, no more: with cuts and stale dual
/// vectors
///
///   lower_k <= J_k(d) <= upper_k,   model = Phi(d) + sum_k lower_k,   upper = Phi(d) + sum_k
///   upper_k
///
/// (or max_k), tasks are solved, the most decisive ones first, until upper - model is a small part
/// of the open gap, or the model shows that d is no better than the best weights so far.

#include "weights/objective.hpp"

namespace kernmix {

/// Which tasks to solve at the weights where they are, and how exactly.
class TaskVisit {
 public:
  /// \param proven  for each task the largest cut at these weights, or -infinity
  TaskVisit(const Objective& J, Vector proven);

  /// The next tasks to solve; none where the visit is over.
  [[nodiscard]] std::vector<Index> decisive(const Objective& J);
  /// How far apart the bounds of each task may be.
  [[nodiscard]] double target(const Objective& J, Index k) const;

 private:
  void update(const Objective& J);
  [[nodiscard]] std::vector<Index> unvisited();

  Vector proven_;
  std::vector<int> visits_;
};

}  // namespace kernmix
