#pragma once
/// \file
/// The certificate from products that are known up to a bound. Its proof includes rounding: the
/// bounds hold in exact arithmetic for the given numbers. With q^ <= q <= q^ + e and
/// |z - z^| <= r, at the bias that suits z^,
///   P <= sum_i max(C_i l(y_i, z^_i + b - r_i), C_i l(y_i, z^_i + b + r_i)) + Omega(d sqrt(q^ + e))
///   D >= gain(a) - sigma((q^ + e) / 2)
/// because l is convex and Omega and sigma increase with every q; bounds of the rounding errors of
/// these sums are added or subtracted (docs/explanation/problem.md). Losses that learn thresholds
/// are Lipschitz in z_i with the largest |a_i| of their box.

#include <mutex>

#include "kernmix/bank/bounded_products.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/certificate.hpp"

namespace kernmix {

/// At feasible dual vectors with their `products`, one for each row of panel_of(): dual is at most
/// and primal at least the value on the kernels, and likewise the values of the tasks.
/// \throws ParameterError if the loss has neither a finite bound nor a value for one sample
[[nodiscard]] Certificate certify_bounded(const Problem& problem, ConstSpan d,
                                          const std::vector<Vector>& a,
                                          std::span<const BankProducts> products,
                                          ConstSpan gamma = {});

/// Kernels as the user gave them, for reported certificates: every entry is evaluated in
/// double precision or, if the Gram matrices have more than 2^30 entries together, families of
/// kernels are used with their bounds. The choice depends only on the kernels, so that `verify`
/// reproduces `train`. Nothing is evaluated before a certificate of dual vectors that are not zero.
class ReferenceKernels {
 public:
  static constexpr double kMostEntries = 0x1p30;  ///< some ten seconds of one core

  /// \param most_entries  evaluated one by one
  explicit ReferenceKernels(std::vector<KernelSourcePtr> sources,
                            double most_entries = kMostEntries);

  /// The bank of all entries, for a Problem.
  [[nodiscard]] const KernelBank& bank() const { return *bank_; }
  /// By families instead of entries.
  [[nodiscard]] bool bounded() const { return bounded_; }

  /// certify() and, unless `witness` is empty, certify_dual(witness), on these kernels.
  /// \param problem  with bank()
  [[nodiscard]] CertifiedPoint certify(const Problem& problem, ConstSpan d,
                                       const std::vector<Vector>& a,
                                       const std::vector<Vector>& witness, const Context& context,
                                       ConstSpan gamma = {}) const;

  /// certify_dual(a) on these kernels: half of the entries at the support, and no product.
  [[nodiscard]] double certify_dual(const Problem& problem, const std::vector<Vector>& a,
                                    const Context& context, ConstSpan gamma = {}) const;

 private:
  [[nodiscard]] std::vector<BankProducts> products(std::span<const ProductRequest> requests,
                                                   const Context& context) const;

  std::vector<KernelSourcePtr> sources_;
  std::unique_ptr<KernelBank> bank_;
  bool bounded_;
  mutable std::once_flag families_known_;
  mutable std::shared_ptr<const MemoryPlan::Families> families_;  ///< found on first use
};

/// Memory of a certificate beside the stored kernels, once K(d) is gone: the products, and the
/// kernels whose entries are evaluated side by side or, where families bound them, the basis of one
/// family, or all that is kept until the families are known.
/// \param plan  of the stored kernels, none of landmarks  \param requests  products at most
[[nodiscard]] std::size_t certificate_bytes(const MemoryPlan& plan, Index n, Index requests,
                                            const Context& context);

}  // namespace kernmix
