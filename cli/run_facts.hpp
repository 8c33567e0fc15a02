#pragma once
/// \file
/// Facts about a training run from its options, files and data.

#include "json_run.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// All but seconds and log. \param model  that arguments.output names, with this checksum
[[nodiscard]] RunFacts run_facts(const TrainArguments& arguments, const Dataset& data,
                                 const Model& model, const std::string& checksum);

}  // namespace kernmix::cli
