#pragma once
/// \file
/// Kernels in groups: group[m] = j says that kernel m belongs to group j = 0, ..., J - 1.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// J, the largest group number plus one; 0 without kernels.
[[nodiscard]] Index group_count(const std::vector<Index>& group);

/// n_j, the number of kernels in each group.
[[nodiscard]] Vector group_sizes(const std::vector<Index>& group);

/// ||x_j||_r for each group of x >= 0, r in (0, inf].
[[nodiscard]] Vector group_norms(ConstSpan x, const std::vector<Index>& group, double r);

/// \throws ParameterError, beginning with `name`, unless each of the M kernels has a group and each
///         group a kernel
void check_groups(const std::string& name, const std::vector<Index>& group, Index M);

}  // namespace kernmix
