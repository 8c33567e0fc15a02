#pragma once
/// \file
/// Detection of models whose training was stopped by the time limit or the caller. A solver may
/// stop shortly before the deadline, so the status of the model is tested instead of the clock.

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

/// \param status as in ModelSettings
[[nodiscard]] inline bool is_unfinished(const std::string& status) {
  return status == status_name(Status::time_limit) || status == status_name(Status::interrupted);
}

/// The training result, or nothing if the time limit affected it. A solver reserves as much time as
/// storing the kernels took, and an answer that it stopped early may still meet the tolerance.
/// Results that end within this reserve are discarded, so that the others are bitwise equal to
/// those of a run without limit.
template <typename Result>
[[nodiscard]] std::optional<Result> if_finished(Result result, const Context& context) {
  if (is_unfinished(result.status) || context.is_cancelled()) return std::nullopt;
  const std::chrono::duration<double> reserve(result.seconds.kernels);
  const bool late =
      context.deadline && std::chrono::steady_clock::now() + reserve >= *context.deadline;
  return late ? std::nullopt : std::optional(std::move(result));
}

}  // namespace kernmix
