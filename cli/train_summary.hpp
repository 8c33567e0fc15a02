#pragma once
/// \file
/// What kernmix train says on standard error at its end.

#include <string>
#include <vector>

#include "json_run.hpp"
#include "kernmix/model/train.hpp"
#include "layout.hpp"

namespace kernmix::cli {

/// Status, bounds and counts, with `more` rows before those of time and files.
[[nodiscard]] std::string summary_table(const ModelBasis& model, Index support,
                                        const Bounds& bounds, Status status, Index iterations,
                                        const std::string& samples, const std::vector<Row>& more,
                                        const Table& table, const RunFacts& facts);

/// The kernels with the largest block norms.
[[nodiscard]] std::string top_weights(const ModelBasis& model, std::size_t limit);

/// Each as a paragraph of its own.
[[nodiscard]] std::string warning_lines(const std::vector<Warning>& warnings);

/// Status, bounds, counts and the ten kernels with the largest block norms.
[[nodiscard]] std::string train_summary(const TrainResult& result, const Table& table,
                                        const RunFacts& facts);

}  // namespace kernmix::cli
