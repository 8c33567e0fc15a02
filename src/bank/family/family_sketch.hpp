#pragma once
/// \file
/// Which kernels share a basis: found on all samples where there are few, else on some of them.

#include <optional>

#include "bank/family/factor_family.hpp"
#include "kernmix/bank/plan.hpp"

namespace kernmix {

/// A family before it is computed on all samples.
struct FamilySketch {
  std::vector<Index> kernels;         ///< the one that made the basis, then those that it holds
  std::vector<Index> pivots;          ///< numbers of samples to begin with; may be none
  Index rank = 0;                     ///< expected on all samples
  std::vector<Index> core_ranks;      ///< of each kernel, expected
  std::optional<FactorFamily> whole;  ///< the family itself where the sketch saw all samples
  std::optional<FactorFamily> part;   ///< else the family on some, where it has several kernels
};

/// The same without the family itself.
[[nodiscard]] FamilySketch outline(const FamilySketch& sketch);

/// Every kernel is in one family or in none.
struct MemoryPlan::Families {
  std::vector<FamilySketch> families;
  std::size_t bytes = 0;  ///< that finding them held at a time, gone by now but for the families
};
using FamilySketches = MemoryPlan::Families;

/// Families are looked for among kernels that compare the same samples, and among all that do not
/// say what they compare. The roughest kernel, whose entries off the diagonal are the smallest,
/// makes the basis: the smooth ones lie in it. Kernels in double precision keep bases of their own,
/// because a shared one is exact to about 1e-7 of the largest entry only.
[[nodiscard]] FamilySketches sketch_families(const std::vector<KernelSourcePtr>& sources,
                                             const BankOptions& options, const Context& context);

}  // namespace kernmix
