#pragma once
/// \file
/// Given matrices made positive semidefinite, between training samples and for new ones.

#include <memory>
#include <string>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/repair.hpp"

namespace kernmix {

struct RepairedMatrix {
  std::shared_ptr<const Matrix> matrix;  ///< null where it was positive semidefinite
  FittedRepair fitted;
};

/// \param training  n x n, symmetric but for rounding
/// \param name  of the kernel, for messages
/// \param held  bytes of other repaired matrices
/// \throws DataError for a matrix that is not symmetric; ResourceError where memory or time do not
/// suffice
[[nodiscard]] RepairedMatrix repair_training(const KernelSource& training, Repair rule,
                                             const std::string& name, std::size_t held,
                                             const Context& context);

/// Values of new samples with some of the training samples, as their repaired kernel has them.
/// Nothing is computed ahead: each block reads its rows, so that predictions take no more memory
/// than others and stop as they do. \param fresh  new samples x all training samples;  \param
/// fitted  must outlive the source \param columns  the training samples that are wanted
[[nodiscard]] KernelSourcePtr repaired_source(KernelSourcePtr fresh, const FittedRepair& fitted,
                                              std::vector<Index> columns);

}  // namespace kernmix
