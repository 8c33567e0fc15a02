#pragma once
/// \file
/// The outer folds of --nested, and those inside their train parts.

#include "fold_options.hpp"
#include "kernmix/selection/search.hpp"

namespace kernmix::cli {

/// Groups stay together and classes are spread evenly on both levels, as choose_folds() has it.
/// \param outer  how many; inside it is --folds
/// \throws ParameterError for folds that cannot be had of these samples
[[nodiscard]] std::vector<NestedFold> nested_folds(Index outer, const FoldArguments& arguments,
                                                   const Dataset& data, const TrainOptions& options,
                                                   const Context& context);

}  // namespace kernmix::cli
