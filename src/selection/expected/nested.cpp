#include "kernmix/selection/expected.hpp"

namespace kernmix {

std::vector<Fold> outer_folds(const std::vector<NestedFold>& folds) {
  std::vector<Fold> outer;
  for (const NestedFold& fold : folds) outer.push_back(fold.outer);
  return outer;
}

CrossValidation predict_nested(const Dataset& data, const std::vector<Candidate>& candidates,
                               const std::vector<NestedFold>& folds, const NestedSearch& nested,
                               const Context& context) {
  CrossValidation winners;
  winners.models.resize(1);
  winners.models.front().resize(folds.size());
  winners.complete = nested.complete && nested.folds.size() == folds.size();
  for (std::size_t f = 0; winners.complete && f < folds.size(); ++f) {
    const TrainOptions& options = candidates[to_size(nested.folds[f].candidate)].options;
    CrossValidation one = cross_validate(data, {options}, {folds[f].outer}, context);
    winners.complete = one.complete;
    winners.models.front()[f] = std::move(one.models.front().front());
  }
  return winners;
}

}  // namespace kernmix
