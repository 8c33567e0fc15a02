#pragma once
/// \file
/// One task, checked before any kernel is computed.

#include "kernmix/problem.hpp"
#include "model/task_basis.hpp"

namespace kernmix {

struct Task : TaskBasis {
  BinaryLabels classes;  ///< of a loss of two classes
  Vector class_weights;  ///< {negative, positive}; empty without classes
  Vector y;              ///< +-1, numbers, or 0 where the loss reads none
  Vector C;              ///< weight of the loss times class and sample weights

  [[nodiscard]] Problem problem(const KernelBank& bank) const {
    return {bank, loss, regularizer, y, C, bias};
  }
};

/// \throws ParameterError for options, DataError for labels and shapes
[[nodiscard]] Task make_task(const Dataset& data, const TrainOptions& options);

}  // namespace kernmix
