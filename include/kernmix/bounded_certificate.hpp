#pragma once
/// \file
/// The certificate from products that are known up to a bound, a proof that includes rounding: the
/// bounds hold in exact arithmetic for the numbers that are given. With q^ <= q <= q^ + e and
/// |z - z^| <= r, at the bias that suits z^,
///   P <= sum_i max(C_i l(y_i, z^_i + b - r_i), C_i l(y_i, z^_i + b + r_i)) + Omega(d sqrt(q^ + e))
///   D >= gain(a) - sigma((q^ + e) / 2)
/// because l is convex and Omega and sigma grow with every q; what rounding may take from these
/// sums is added or subtracted (docs/explanation/problem.md). Losses with thresholds of their own
/// are Lipschitz in z_i with the largest |a_i| of their box.

#include "kernmix/bank/bounded_products.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/certificate.hpp"

namespace kernmix {

/// At feasible dual vectors, of which `products` are, a row of panel_of() each: dual <= that of the
/// kernels, primal >= theirs, and so are the values of the tasks.
/// \throws ParameterError where the loss has no finite bound and no value of one sample
[[nodiscard]] Certificate certify_bounded(const Problem& problem, ConstSpan d,
                                          const std::vector<Vector>& a,
                                          std::span<const BankProducts> products,
                                          ConstSpan gamma = {});

/// Kernels as the user gave them, for the certificates that are reported: every entry anew in
/// double precision or, where the Gram matrices have more than 2^30 entries in all, families of
/// kernels by their bounds. Which of the two depends on the kernels alone, so that `verify` finds
/// what `train` found.
class ReferenceKernels {
 public:
  /// \param most_entries  evaluated one by one, some ten seconds of one core
  ReferenceKernels(std::vector<KernelSourcePtr> sources, const Context& context,
                   double most_entries = 0x1p30);

  /// The bank of all entries, for a Problem.
  [[nodiscard]] const KernelBank& bank() const { return *bank_; }
  [[nodiscard]] bool bounded() const { return families_ != nullptr; }

  /// certify() and, unless `witness` is empty, certify_dual(witness), on these kernels.
  /// \param problem  with bank()
  [[nodiscard]] CertifiedPoint certify(const Problem& problem, ConstSpan d,
                                       const std::vector<Vector>& a,
                                       const std::vector<Vector>& witness, const Context& context,
                                       ConstSpan gamma = {}) const;

 private:
  [[nodiscard]] std::vector<BankProducts> products(std::span<const ProductRequest> requests,
                                                   const Context& context) const;

  std::vector<KernelSourcePtr> sources_;
  std::unique_ptr<KernelBank> bank_;
  std::shared_ptr<const MemoryPlan::Families> families_;  ///< null where every entry is evaluated
};

}  // namespace kernmix
