#pragma once
/// \file
/// The certificate from products that are known up to a bound, a proof that includes rounding: the
/// bounds hold in exact arithmetic for the numbers that are given. With q^ <= q <= q^ + e and
/// |z - z^| <= r, at the bias that suits z^,
///   P <= sum_i max(C_i l(y_i, z^_i + b - r_i), C_i l(y_i, z^_i + b + r_i)) + Omega(d sqrt(q^ + e))
///   D >= gain(a) - sigma((q^ + e) / 2)
/// because l is convex and Omega and sigma grow with every q; what rounding may take from these
/// sums is added or subtracted (docs/problem.md). Losses with thresholds of their own
/// are Lipschitz in z_i with the largest |a_i| of their box.

#include "kernmix/bank/bounded_products.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/certificate.hpp"
#include "kernmix/joint_certificate.hpp"
#include "kernmix/shared_certificate.hpp"

namespace kernmix {

/// At a feasible `a`, of which `products` are: dual <= that of the kernels, primal >= theirs.
/// \throws ParameterError where the loss has no finite bound and no value of one sample
[[nodiscard]] Certificate certify_bounded(const Problem& problem, ConstSpan d, ConstSpan a,
                                          const BankProducts& products);

/// The same for shared weights at feasible dual vectors, of which `products` are: of all tasks, on
/// all samples. Bounds of the tasks hold likewise.
/// \throws ParameterError as check_shared_weights, and as certify_bounded
[[nodiscard]] SharedCertificate certify_shared_bounded(const SharedProblem& problem, ConstSpan d,
                                                       const std::vector<Vector>& a,
                                                       ConstSpan gamma,
                                                       std::span<const BankProducts> products);

/// The same for classes trained together, at a feasible A. Decision values of the other classes are
/// taken at their upper, those of the own class at their lower ends.
/// \param products  of the columns of A
[[nodiscard]] JointCertificate certify_joint_bounded(const JointProblem& problem, ConstSpan d,
                                                     const Matrix& A,
                                                     std::span<const BankProducts> products);

/// How much larger than `point.value` the loss may be at any z within z_error of `z`, rounding
/// included. \param point  loss_at(z)
/// \throws ParameterError where the loss has no finite bound and no value of one sample
[[nodiscard]] double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C,
                                 const LossPoint& point, ConstSpan z, ConstSpan z_error);

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

  /// certify() and, unless `proof` is empty, certify_dual(proof), on these kernels.
  /// \param problem  with bank()
  [[nodiscard]] CertifiedPoint certify(const Problem& problem, ConstSpan d, ConstSpan a,
                                       ConstSpan proof, const Context& context) const;

  /// certify_shared() and, unless `proof` is empty, certify_shared_dual(proof), on these kernels.
  /// \param problem  with bank()
  [[nodiscard]] SharedPoint certify_shared(const SharedProblem& problem, ConstSpan d,
                                           const std::vector<Vector>& a, ConstSpan gamma,
                                           const std::vector<Vector>& proof,
                                           const Context& context) const;

  /// certify_joint() and, unless `proof` is empty, certify_joint_dual(proof), on these kernels.
  /// \param problem  with bank()
  [[nodiscard]] CertifiedJoint certify_joint(const JointProblem& problem, ConstSpan d,
                                             const Matrix& A, const Matrix& proof,
                                             const Context& context) const;

 private:
  [[nodiscard]] std::vector<BankProducts> products(std::span<const ProductRequest> requests,
                                                   const Context& context) const;

  std::vector<KernelSourcePtr> sources_;
  std::unique_ptr<KernelBank> bank_;
  std::shared_ptr<const MemoryPlan::Families> families_;  ///< null where every entry is evaluated
};

}  // namespace kernmix
