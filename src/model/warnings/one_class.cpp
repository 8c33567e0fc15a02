#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "model/prediction_kernels.hpp"
#include "model/thresholds/folds.hpp"
#include "model/warnings/warnings.hpp"
#include "problem/without_end.hpp"

namespace kernmix {

void warn_of_one_class(const Dataset& data, const Model& model, const Context& context,
                       std::vector<Warning>& warnings) {
  if (model.target != Target::classes || model.of_labels()) return;
  constexpr Index most_looked_at = 200;
  const std::vector<Index> rows = spaced_samples(model.training_samples, most_looked_at);
  const std::vector<Index> winner =
      predict(model, part_of(data, rows, {}, {}), without_end(context)).winner;
  const auto other = [&](Index own) { return own != winner.front(); };
  if (winner.size() < 2 || std::ranges::any_of(winner, other)) return;
  const bool all = length(rows) == model.training_samples;
  warnings.push_back(
      {"one-class-predicted",
       fmt::format(
           "the model predicts the class {1} for {0}: its threshold does not separate the "
           "classes, even if its decision values rank the samples well; use a larger C, other "
           "kernels, or balanced class weights if class sizes differ",
           all ? "all training samples"
               : fmt::format("each of {} evenly spaced training samples of {}", rows.size(),
                             model.training_samples),
           in_quotes(model.names[to_size(winner.front())])),
       {}});
}

}  // namespace kernmix
