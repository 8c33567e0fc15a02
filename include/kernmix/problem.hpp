#pragma once
/// \file
/// The one problem that kernmix solves.
///
///   (P)  min_{f, b}  sum_i C_i loss(y_i, sum_m f_m(x_i) + b) + Omega(||f_1||, ..., ||f_M||)
///   (D)  max_a       sum_i -(C_i loss)*(-a_i) - sigma(q(a) / 2),  q_m = a' K_m a,  a in A
///   weights          f_m = d_m K_m a,  combined kernel K(d) = sum_m d_m K_m

#include "kernmix/bank/bank.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A problem statement; borrows the bank, which must outlive it.
struct Problem {
  const KernelBank& bank;
  Loss loss;
  Regularizer regularizer;
  Vector y;  ///< n targets: +1 or -1 for classification, real for regression, 0 where there is none
  Vector C;  ///< n weights of the loss, > 0: C times sample and class weights
  Bias bias = Bias::free;
  Vector diagonals = {};  ///< mean_diagonals(bank) where they are known, for optimum_floor()

  [[nodiscard]] Index samples() const { return bank.samples(); }
  [[nodiscard]] Index kernels() const { return bank.kernels(); }
};

/// Checks lengths, labels, weights and that the regularizer's D is not empty.
/// \throws ParameterError or DataError that names the rule
void validate(const Problem& problem);

}  // namespace kernmix
