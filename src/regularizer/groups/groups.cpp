#include "regularizer/groups/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/error.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {

Index group_count(const std::vector<Index>& group) {
  return group.empty() ? 0 : *std::ranges::max_element(group) + 1;
}

Vector group_sizes(const std::vector<Index>& group) {
  Vector sizes(static_cast<std::size_t>(group_count(group)), 0.0);
  for (const Index j : group) sizes[static_cast<std::size_t>(j)] += 1.0;
  return sizes;
}

Vector group_norms(ConstSpan x, const std::vector<Index>& group, double r) {
  const auto J = static_cast<std::size_t>(group_count(group));
  Vector top(J, 0.0);
  for (std::size_t m = 0; m < x.size(); ++m) {
    double& largest_of_group = top[static_cast<std::size_t>(group[m])];
    largest_of_group = std::max(largest_of_group, x[m]);
  }
  if (std::isinf(r)) return top;
  Vector norms(J, 0.0);
  for (std::size_t m = 0; m < x.size(); ++m) {
    const auto j = static_cast<std::size_t>(group[m]);
    if (top[j] > 0.0) norms[j] += std::pow(x[m] / top[j], r);
  }
  for (std::size_t j = 0; j < J; ++j) norms[j] = top[j] * std::pow(norms[j], 1.0 / r);
  return norms;
}

void check_groups(const std::string& name, const std::vector<Index>& group, Index M) {
  require_kernels(M);
  if (length(group) != M) {
    throw ParameterError(
        fmt::format("{}: {} group numbers were given for {} kernels, give one for each kernel",
                    name, group.size(), M));
  }
  if (*std::ranges::min_element(group) < 0) {
    throw ParameterError(fmt::format("{}: group numbers must be >= 0, got {}", name,
                                     *std::ranges::min_element(group)));
  }
  std::vector<Index> sorted(group);
  std::ranges::sort(sorted);
  Index expected = 0;
  for (const Index j : sorted) {
    if (j > expected) {
      throw ParameterError(fmt::format(
          "{}: group {} has no kernel, number the groups 0, 1, ... without gaps", name, expected));
    }
    if (j == expected) ++expected;
  }
}

}  // namespace kernmix
