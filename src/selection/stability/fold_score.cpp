#include "selection/stability/fold_score.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"

namespace kernmix {

ScoreRule rule_of_test(const std::string& name, const Dataset& data, const TrainOptions& options) {
  const Loss loss = parse_loss(options.loss);
  if (loss_target(loss) == Target::none) {
    throw ParameterError(
        fmt::format("{} learns without labels: there is no score to test", loss_text(loss)));
  }
  return score_rule(name.empty() ? default_score(data.table, options) : name);
}

double score_of(const std::string& name, const Model& model, const Table& truth,
                const Prediction& prediction) {
  const std::optional<double> value = score_called(scores(model, truth, prediction), name);
  if (value) return *value;
  throw DataError(fmt::format(
      "a fold has no {}: its test samples lack a class, or nothing was predicted positive; choose "
      "another score or fewer folds",
      name));
}

}  // namespace kernmix
