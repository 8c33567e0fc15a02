#pragma once
/// \file
/// Several models of one data set: the options of a command, overridden by `NAME: OPTIONS`.

#include <string>
#include <vector>

#include "training_data.hpp"

namespace kernmix::cli {

struct Variant {
  std::string name;
  TrainOptions options;
};

/// The model of the command's own options, called "model", or "first" if there are others; then
/// those of `also`. \throws ParameterError naming the model
[[nodiscard]] std::vector<Variant> variants_of(const TrainArguments& arguments,
                                               const TrainOptions& options,
                                               const std::vector<std::string>& also,
                                               const Dataset& data);

[[nodiscard]] std::vector<TrainOptions> all_options(const std::vector<Variant>& variants);

}  // namespace kernmix::cli
