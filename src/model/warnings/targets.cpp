// With y_i = c for all i and a free bias, f = c has no loss and no norm: J = 0 for every loss of
// numbers, and the weights are those with which the solver begins.

#include <fmt/format.h>

#include <algorithm>

#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

bool has_one_value(const Matrix& values, Index column) {
  for (Index i = 1; i < values.rows; ++i) {
    if (values(i, column) != values(0, column)) return false;
  }
  return true;
}

}  // namespace

void warn_of_constant_targets(const TaskTargets& targets, std::vector<Warning>& warnings) {
  if (targets.target != Target::numbers || targets.samples() < 2) return;
  std::vector<std::string> constant;
  for (Index t = 0; t < targets.values.cols; ++t) {
    if (!has_one_value(targets.values, t)) continue;
    constant.push_back(targets.names.empty() ? "" : targets.names[to_size(t)]);
  }
  if (constant.empty()) return;
  const std::string subject =
      targets.names.empty()
          ? "The target has"
          : fmt::format("{} of {} targets ({}) {}", constant.size(), targets.values.cols,
                        first_names(constant), constant.size() == 1 ? "has" : "have");
  warnings.push_back({"constant-target",
                      fmt::format("{} one value for all samples, so there is nothing to learn. Is "
                                  "it the right column?",
                                  subject),
                      {}});
}

std::vector<Warning> warnings_of_targets(const Dataset& data, const TrainOptions& options) {
  std::vector<Warning> warnings;
  if (loss_target(options.loss) != Target::numbers) return warnings;
  const Table& table = data.table;
  warn_of_constant_targets(find_targets(training_scheme(table, options), Target::numbers, table,
                                        sample_count(table, data.matrices), ""),
                           warnings);
  return warnings;
}

}  // namespace kernmix
