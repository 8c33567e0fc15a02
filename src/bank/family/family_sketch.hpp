#pragma once
/// \file
/// Detection of kernels that share a basis, on a subset of the samples if there are many.

#include <memory>
#include <optional>

#include "bank/family/factor_family.hpp"
#include "kernmix/bank/plan.hpp"

namespace kernmix {

/// A family before it is computed on all samples.
struct FamilySketch {
  std::vector<Index> kernels;     ///< the kernel of the basis, then the kernels that it represents
  std::vector<Index> pivots;      ///< numbers of samples to begin with; may be none
  Index rank = 0;                 ///< expected on all samples
  std::vector<Index> core_ranks;  ///< of each kernel, expected
  /// The family, if the sketch has all samples; shared by the plan and the bank that is built.
  std::shared_ptr<FactorFamily> whole;
  std::optional<FactorFamily>
      part;                ///< otherwise the family on some samples, if it has several kernels
  bool landmarks = false;  ///< one kernel whose factor its source has
};

/// The same without the family.
[[nodiscard]] FamilySketch outline(const FamilySketch& sketch);

/// Kernels that the same samples have, which are stored between these alone.
struct PartPlan {
  std::vector<Index> kernels;
  std::vector<Index> samples;  ///< ascending
  MemoryPlan plan;             ///< of a bank of these samples
};

/// Each kernel is in at most one family or part.
struct MemoryPlan::Families {
  std::vector<FamilySketch> families;
  std::size_t bytes = 0;  ///< that finding them held at a time, gone by now but for the families
  std::vector<PartPlan> parts = {};
  Index expected_columns = -1;  ///< of outlines(): expected_columns() of the plan; -1 if unknown
};
using FamilySketches = MemoryPlan::Families;

/// Families are looked for among kernels that compare the same samples, and among all that do not
/// say what they compare. The roughest kernel, whose entries off the diagonal are the smallest,
/// makes the basis: the smooth ones lie in it. Kernels in double precision keep bases of their own,
/// because a shared one is exact to about 1e-7 of the largest entry only.
[[nodiscard]] FamilySketches sketch_families(const std::vector<KernelSourcePtr>& sources,
                                             const BankOptions& options, const Context& context);

}  // namespace kernmix
