#pragma once
/// \file
/// Repair of given matrices to positive semidefinite ones, for training and new samples.

#include <memory>
#include <string>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/repair.hpp"

namespace kernmix {

struct RepairedMatrix {
  std::shared_ptr<const Matrix> matrix;  ///< null if it was positive semidefinite
  FittedRepair fitted;
};

/// \param training n x n, symmetric up to rounding
/// \param name  of the kernel, for messages
/// \param held  bytes of other repaired matrices
/// \throws DataError for a matrix that is not symmetric; ResourceError if memory or time is
/// insufficient
[[nodiscard]] RepairedMatrix repair_training(const KernelSource& training, Repair rule,
                                             const std::string& name, std::size_t held,
                                             const Context& context);

/// Repaired kernel values between new samples and some training samples, computed block by block on
/// request, so that predictions need no additional memory and can be stopped. \param fresh new
/// samples x all training samples; \param fitted must outlive the source \param columns the
/// requested training samples
[[nodiscard]] KernelSourcePtr repaired_source(KernelSourcePtr fresh, const FittedRepair& fitted,
                                              std::vector<Index> columns);

}  // namespace kernmix
