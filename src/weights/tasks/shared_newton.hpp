#pragma once
/// \file
/// Proximal Newton (weights/newton.hpp) on the sum over tasks, with one model of all:
///
///   x <- argmin_{x in D} -1/2 (sum_k q^k)'(x - d) + 1/2 (x - d)' (sum_k H^k) (x - d) + Phi(x)

#include "weights/newton.hpp"
#include "weights/tasks/sum_of_tasks.hpp"

namespace kernmix {

struct SharedNewton {
  static constexpr const char* name = "newton";
  static constexpr const char* needs = Newton::needs;
  static constexpr bool couples(Coupling coupling) { return coupling == Coupling::sum; }
  template <typename R>
  static constexpr bool takes = Newton::takes<R>;
  template <typename R>
  static void run(const R& /*regularizer*/, SharedRun& run) {
    SumOfTasks stacked(run);
    newton(run.problem().regularizer, stacked);
  }
};

}  // namespace kernmix
