#pragma once
/// \file
/// Several models of one data set: what `NAME: OPTIONS` makes of the options of a command.

#include <string>
#include <vector>

#include "training_data.hpp"

namespace kernmix::cli {

struct Variant {
  std::string name;
  TrainOptions options;
};

/// The model of the command's own options, called "model" or, beside others, "first"; then those of
/// `also`. \throws ParameterError naming the model
[[nodiscard]] std::vector<Variant> variants_of(const TrainArguments& arguments,
                                               const TrainOptions& options,
                                               const std::vector<std::string>& also,
                                               const Dataset& data);

[[nodiscard]] std::vector<TrainOptions> all_options(const std::vector<Variant>& variants);

}  // namespace kernmix::cli
