#pragma once
/// \file
/// How a sum of kernel values changes with the left sample: d/dx_j sum_s a_s k(x, z_s).

#include "base/linear_algebra.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Derivatives of a kernel of features. By the chain rule through the number that the samples are
/// compared to: exact in the comparison, and in the function of it to some 1e-9 of its size, by
/// differences of fourth order. Where a comparison has a kink (x_j = z_j of `laplacian`,
/// `intersection` and their like) the mean of the derivatives on both sides counts.
class KernelGradient {
 public:
  /// \param right  the samples z_s as the function reads them;  \param cosine  the kernel is
  /// divided by sqrt(k(x, x) k(z, z)). \throws ParameterError for a function that reads no features
  KernelGradient(const KernelFunction& function, ConstMatrix right, bool cosine);

  /// \param x  as the function reads it;  \param a  |right| x T
  /// \returns T x |x|: of each column of a
  [[nodiscard]] RowMatrix at(ConstSpan x, const Eigen::Ref<const RowMatrix>& a) const;

 private:
  KernelFunction function_;
  ConstMatrix right_;
  bool cosine_;
  Vector right_diagonal_;  ///< k(z_s, z_s), where cosine asks for it
};

}  // namespace kernmix
