#pragma once
/// \file
/// What is asked of a training run, checked before any kernel is computed.

#include <string>
#include <vector>

#include "kernmix/kernel/expression.hpp"
#include "kernmix/loss/loss.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/regularizer/regularizer.hpp"

namespace kernmix {

struct Task {
  Loss loss;
  Regularizer regularizer;
  BinaryLabels classes;  ///< of a loss of two classes
  Vector class_weights;  ///< {negative, positive}; empty without classes
  Vector y;              ///< +-1, numbers, or 0 where the loss reads none
  Vector C;              ///< weight of the loss times class and sample weights
  Bias bias = Bias::free;
  std::vector<KernelDescription> kernels;

  [[nodiscard]] Problem problem(const KernelBank& bank) const {
    return {bank, loss, regularizer, y, C, bias};
  }
};

/// \throws ParameterError for options, DataError for labels and shapes
[[nodiscard]] Task make_task(const Dataset& data, const TrainOptions& options);

/// The number of each kernel's group, in the order of first use.
[[nodiscard]] std::vector<Index> kernel_groups(const std::vector<KernelDescription>& kernels);

[[nodiscard]] std::vector<KernelDescription> kernel_descriptions(const Model& model);

}  // namespace kernmix
