#pragma once
/// \file
/// Groups of kernels that share the comparison of samples, which is then computed once.

#include <map>
#include <vector>

#include "kernmix/kernel.hpp"

namespace kernmix {

/// The indices of kernels with the same comparison, in the order of the first of each group. \param
/// source_of the kernel of an index
template <typename Numbers, typename SourceOf>
[[nodiscard]] std::vector<std::vector<Index>> alike(const Numbers& numbers,
                                                    const SourceOf& source_of) {
  std::vector<std::vector<Index>> groups;
  std::map<SampleComparison, std::size_t> place;
  for (const Index k : numbers) {
    const KernelSource& source = source_of(k);
    const auto comparison = source.comparison();
    if (!comparison || place.try_emplace(*comparison, groups.size()).second) {
      groups.push_back({k});
    } else {
      groups[place.at(*comparison)].push_back(k);
    }
  }
  return groups;
}

}  // namespace kernmix
