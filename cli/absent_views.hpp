#pragma once
/// \file
/// Views of a model that new samples lack.

#include "kernmix/train.hpp"
#include "options.hpp"

namespace kernmix::cli {

/// Writes to standard error how many samples lack each view that the model reads, and a warning if
/// none has it: perhaps its file was forgotten. Nothing with --quiet.
/// \param data  samples that the model has predicted
void say_absent_views(const Model& model, const Dataset& data, const CommonArguments& common);

}  // namespace kernmix::cli
