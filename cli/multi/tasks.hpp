#pragma once
/// \file
/// The tasks of a model as a table and as JSON.

#include <cstddef>
#include <string>

#include "kernmix/model/multi.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// A line for each task, those with the largest objectives first: the ones that minimax is about.
[[nodiscard]] std::string tasks_table(const MultiModel& model, std::size_t limit = 30);

/// One entry for each task; kernel weights where the tasks have their own.
[[nodiscard]] Json tasks_json(const MultiModel& model);

}  // namespace kernmix::cli
