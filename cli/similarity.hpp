#pragma once
/// \file
/// How alike the kernels of a model are, as JSON (docs/reference/results.md).

#include "kernmix/train.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Of the kernels with the largest weights, 20 at most, in the order of the bank, on 200 of the
/// training samples at most; null where no kernel has a weight.
[[nodiscard]] Json similarity_json(const Model& model, const Dataset& data,
                                   const TrainOptions& options, const Context& context);

}  // namespace kernmix::cli
