#include "tune/nested_folds.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernmix/error.hpp"
#include "model/pipeline.hpp"

namespace kernmix::cli {
std::vector<NestedFold> nested_folds(Index outer, const FoldArguments& a, const Dataset& data,
                                     const TrainOptions& options, const Context& context) {
  const Strata strata{classes_of(data.table, options), options.groups, options.sample_weights};
  FoldOptions asked = fold_numbers_asked(a, context);
  const Index inner = std::exchange(asked.folds, outer);
  asked.repeats = 1;
  const Index n = sample_count(data.table, data.matrices);
  std::vector<NestedFold> nested;
  try {
    for (Fold& fold : deal(n, strata, asked, context)) nested.push_back({std::move(fold), {}});
    asked.folds = inner;
    for (NestedFold& fold : nested) fold.inner = deal(fold.outer.train, strata, asked, context);
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("nested cross-validation: {}", error.what()));
  }
  return nested;
}

}  // namespace kernmix::cli
