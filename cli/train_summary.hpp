#pragma once
/// \file
/// The summary of kernmix train on standard error.

#include <string>

#include "json_run.hpp"
#include "kernmix/train.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// A paragraph for each warning.
[[nodiscard]] std::string warning_lines(const std::vector<Warning>& warnings);

/// Status, bounds, counts, a line for each of several tasks, and the ten kernels with the largest
/// block norms.
[[nodiscard]] std::string train_summary(const TrainResult& result, const Dataset& data,
                                        const RunFacts& facts);

}  // namespace kernmix::cli
