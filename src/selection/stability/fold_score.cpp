#include "selection/stability/fold_score.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"

namespace kernmix {

ScoreRule rule_of_test(const std::string& name, const Dataset& data, const TrainOptions& options) {
  const Loss loss = options.loss;
  if (loss_target(loss) == Target::none) {
    throw ParameterError(
        fmt::format("{} does not use labels, so there is no score to test", loss_text(loss)));
  }
  return score_rule(name.empty() ? default_score(data.table, options) : name);
}

}  // namespace kernmix
