#pragma once
/// \file
/// Which models do not count: those whose training the time limit or the caller cut short. A solver
/// may stop a little before the deadline itself, so the model is asked and not the clock.

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "kernmix/answer.hpp"
#include "kernmix/context.hpp"

namespace kernmix {

[[nodiscard]] inline bool is_unfinished(Status status) {
  return status == Status::time_limit || status == Status::interrupted;
}

/// \param status  as ModelSettings has it
[[nodiscard]] inline bool is_unfinished(const std::string& status) {
  return status == status_name(Status::time_limit) || status == status_name(Status::interrupted);
}

/// Nothing of a training result that time cut short. A solver keeps as much time in reserve as
/// storing the kernels took, and an answer that it gave up early may still meet the tolerance: what
/// ends within that reserve does not count, so that what counts has the bits of a run without
/// limit.
template <typename Result>
[[nodiscard]] std::optional<Result> if_finished(Result result, const Context& context) {
  if (is_unfinished(result.status) || context.is_cancelled()) return std::nullopt;
  const std::chrono::duration<double> reserve(result.seconds.kernels);
  const bool late =
      context.deadline && std::chrono::steady_clock::now() + reserve >= *context.deadline;
  return late ? std::nullopt : std::optional(std::move(result));
}

}  // namespace kernmix
