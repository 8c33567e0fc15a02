#pragma once
/// \file
/// Which models do not count: those whose training the time limit or the caller cut short. A solver
/// may stop a little before the deadline itself, so the model is asked and not the clock.

#include <optional>
#include <string>

#include "kernmix/answer.hpp"

namespace kernmix {

[[nodiscard]] inline bool is_unfinished(Status status) {
  return status == Status::time_limit || status == Status::interrupted;
}

/// \param status  as ModelSettings has it
[[nodiscard]] inline bool is_unfinished(const std::string& status) {
  return status == status_name(Status::time_limit) || status == status_name(Status::interrupted);
}

/// Nothing of a result whose status is that of an unfinished one.
template <typename Result>
[[nodiscard]] std::optional<Result> if_finished(Result result) {
  if (is_unfinished(result.status)) return std::nullopt;
  return result;
}

}  // namespace kernmix
