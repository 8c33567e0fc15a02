#pragma once
/// \file
/// Kernels K(d) that are differentiable functions of their weights d: sums, products, your own.
///
///   sum      K(d) = sum_m d_m K_m
///   product  K(d)_ij = prod_m exp(-d_m D_m,ij),   D_m,ij = |x_i - x_j|^2 on column or view m

#include <memory>
#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// K(d) between the n training samples for M weights d >= 0. Derive from it to define your own.
class KernelFamily {
 public:
  virtual ~KernelFamily() = default;

  [[nodiscard]] virtual Index samples() const = 0;  ///< n
  [[nodiscard]] virtual Index weights() const = 0;  ///< M

  /// K(d), n x n, symmetric and positive semidefinite for every d >= 0.
  [[nodiscard]] virtual Matrix at(ConstSpan d, const Context& context) const = 0;

  /// out[m] = a' (dK / dd_m) a
  /// \param K  at(d), to avoid computing it again
  virtual void derivatives(ConstSpan d, const Matrix& K, ConstSpan a, MutableSpan out,
                           const Context& context) const = 0;
};

/// The sum of the kernels of a bank, which must outlive it.
[[nodiscard]] std::unique_ptr<KernelFamily> kernel_sum(const KernelBank& bank);

/// The product of exp(-d_m D_m) for given matrices of squared distances.
/// \throws DataError naming the matrix that is not finite, not symmetric, or for which exp(-t D) is
///         not positive semidefinite for every t >= 0
[[nodiscard]] std::unique_ptr<KernelFamily> distance_product(std::vector<Matrix> distances);

/// The product of Gaussian kernels on the columns of X (n x columns).
/// \param view  for each column the index of its weight, from 0; empty: a weight for each column
/// \throws ParameterError if `view` does not fit
[[nodiscard]] std::unique_ptr<KernelFamily> column_product(Matrix X, std::vector<Index> view = {});

}  // namespace kernmix
