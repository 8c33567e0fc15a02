#pragma once
/// \file
/// Whether the kernels as written fit the memory budget and, where they do not, how many landmarks.

#include <string>

#include "kernmix/train.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// True also for a few thousand samples, whose memory is refused as it is.
[[nodiscard]] bool exact_kernels_fit(const Dataset& data, const TrainOptions& options,
                                     const TaskSet& set, const Context& context,
                                     const TrainingKernels& kernels);

/// "training on the kernels as written takes about 4 minutes; ..." with the option for less; empty
/// below two minutes. From the entries of dense kernels, apart from how well the classes separate.
[[nodiscard]] std::string slow_kernels_note(const TaskSet& set, const Context& context,
                                            const std::vector<KernelSourcePtr>& kernels,
                                            const std::vector<KernelDescription>& descriptions);

struct AutomaticLandmarks {
  Index count = 0;   ///< 0: not even a few fit
  std::string note;  ///< how many, why, and what to do for more
};

/// As many as memory allows, at most 1000, and fewer where training would take minutes.
[[nodiscard]] AutomaticLandmarks automatic_landmarks(const Dataset& data,
                                                     const TrainOptions& options,
                                                     const TaskSet& set, const Context& context,
                                                     const TrainingKernels& kernels);

}  // namespace kernmix
