#pragma once
/// \file
/// What kernmix train says on standard error at its end.

#include <string>

#include "json_run.hpp"
#include "kernmix/train.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// A paragraph for each.
[[nodiscard]] std::string warning_lines(const std::vector<Warning>& warnings);

/// Status, bounds, counts, of many tasks a line for each, and the ten kernels with the largest
/// block norms.
[[nodiscard]] std::string train_summary(const TrainResult& result, const Table& table,
                                        const RunFacts& facts);

}  // namespace kernmix::cli
