#pragma once
/// \file
/// Derivatives of a sum of kernel values in the left sample: d/dx_j sum_s a_s k(x, z_s).

#include "base/linear_algebra.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Derivatives of a kernel of features by the chain rule through the comparison: exact for the
/// comparison, and by fourth-order differences, with a relative error of about 1e-9, for the
/// function of it. At a kink of the comparison (x_j = z_j for `laplacian`, `intersection` and
/// similar kernels) the mean of the one-sided derivatives is used.
class KernelGradient {
 public:
  /// \param right the samples z_s in the columns of the function; \param cosine the kernel is
  /// divided by sqrt(k(x, x) k(z, z)). \throws ParameterError for a function without features
  KernelGradient(const KernelFunction& function, ConstMatrix right, bool cosine);

  /// \param x in the columns of the function; \param a |right| x T
  /// \returns T x |x|, a row for each column of a
  [[nodiscard]] RowMatrix at(ConstSpan x, const Eigen::Ref<const RowMatrix>& a) const;

 private:
  KernelFunction function_;
  ConstMatrix right_;
  bool cosine_;
  Vector right_diagonal_;  ///< k(z_s, z_s), for cosine
};

}  // namespace kernmix
