#pragma once
/// \file
/// `kernmix inspect` of a result in JSON.

#include <string>

#include "kernmix/context.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Scalars and sizes of lists at the top level, then the metrics, the winner and the weights.
[[nodiscard]] Findings inspect_result(const std::string& file, const Context& context);

}  // namespace kernmix::cli
