#pragma once
/// \file
/// What is known of a training run from its options, files and data.

#include "json_run.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// All but seconds and log. \param model  saved as arguments.output
[[nodiscard]] RunFacts run_facts(const TrainArguments& arguments, const Dataset& data,
                                 const Model& model);

}  // namespace kernmix::cli
