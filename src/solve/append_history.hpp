#pragma once
/// \file
/// One history of solves that follow each other: of separate tasks, or of attempts at one problem.

#include <utility>

#include "kernmix/answer.hpp"

namespace kernmix {

/// Adds the iterations and counts of a solve. Those of its iterations go on from the ones before.
/// \param seconds  of the solves before \param all  an Answer or a TrainResult
template <typename Run>
void append_history(const Answer& more, double seconds, Run& all) {
  const Index first = all.history.empty() ? 0 : all.history.back().number + 1;
  for (Iteration step : more.history) {
    step.number += first;
    step.seconds += seconds;
    step.svm_solves += all.svm_solves;
    step.bank_passes += all.bank_passes;
    step.inner_iterations += all.inner_iterations;
    all.history.push_back(std::move(step));
  }
  all.svm_solves += more.svm_solves;
  all.bank_passes += more.bank_passes;
  all.inner_iterations += more.inner_iterations;
}

}  // namespace kernmix
